package dev.elicit;

/**
 * What a connection needs while it makes effects. The callbacks run in the thread that takes an effect. They may give
 * inputs to the connection, but not take effects. An exception leaves {@link Elicit#next} or {@link Elicit#take} as
 * the cause of an {@link ElicitException}, and the connection goes on: no effect is lost.
 */
public interface Host {
    /** A host without a journal and without guardians of its own. */
    Host NONE = new Host() {};

    /**
     * Keeps one record, a line of the journal, and returns when it is durable. With null it begins another journal.
     * After an exception the connection decides nothing more, and answers every question with an error.
     */
    default void append(byte[] record) throws Exception {}

    /**
     * Begins to ask a guardian, and says whether it does. {@code json} is the text of the effect. The answer is a
     * {@link Contract.Consulted} for {@link Elicit#step}, now or later. Without one the guardian fails.
     */
    default boolean consult(Contract.Consult effect, String json) throws Exception {
        return false;
    }

    /** Makes 32 random bytes. After anything else the connection decides nothing more. */
    default byte[] random() throws Exception {
        byte[] bytes = new byte[32];
        Library.RANDOM.nextBytes(bytes);
        return bytes;
    }
}

package dev.elicit;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.ref.Cleaner;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A connection between an MCP client and an MCP server. Any thread may give it messages and events. One thread takes
 * its effects, one after another, and performs them in that order.
 */
public final class Elicit implements AutoCloseable {
    /** The two ends of a connection. */
    public enum End { CLIENT, SERVER }

    /**
     * An effect to perform, or the time until something is due.
     *
     * @param effect what to do, or null if there is nothing to do
     * @param json the effect as the engine wrote it, also with members that this version does not know
     * @param message the message of a {@link Contract.Forward} or a {@link Contract.Send}, without a line end
     * @param delay without an effect, call again after so many milliseconds, or after the next input; -1 is never
     */
    public record Step(Contract.RelayEffect effect, String json, byte[] message, long delay) {
        /** The end that the message is written to, or null without a message. */
        public End to() {
            String to = effect instanceof Contract.Forward forward ? forward.to()
                    : effect instanceof Contract.Send send ? send.to() : null;
            return to == null ? null : to.equals("client") ? End.CLIENT : End.SERVER;
        }

        /** The message as text. */
        public String text() {
            return new String(message, StandardCharsets.UTF_8);
        }

        /** Writes the message and a line end. */
        public void writeTo(OutputStream stream) throws IOException {
            byte[] line = Arrays.copyOf(message, message.length + 1);
            line[message.length] = '\n';
            stream.write(line);
            stream.flush();
        }
    }

    private static final int LONGEST = 64 << 20;

    private final long handle;
    private final Host host;
    private final Cleaner.Cleanable closing;
    private final AtomicReference<Thread> taking = new AtomicReference<>();
    private final Object changed = new Object();
    private long inputs;
    private volatile boolean closed;
    private byte[][] kept;

    private Elicit(long handle, Host host) {
        this.handle = handle;
        this.host = host;
        closing = Library.CLEANER.register(this, () -> Library.close(handle));
    }

    /** Opens a connection. docs/reference/relay.md lists the members of {@code relay}. */
    public static Elicit open(Map<String, Object> relay, Host host) {
        return open(Json.write(Map.of("relay", relay, "pull", true)), host);
    }

    /** Opens a connection from a whole document, {@code {"relay":{...},"pull":true,...}}. */
    static Elicit open(byte[] document, Host host) {
        long[] handle = new long[1];
        Objects.requireNonNull(host);
        Library.open(Library.OPEN, document, handle);
        return new Elicit(handle[0], host);
    }

    /** Takes a message that an end has sent: its exact bytes, without the line end. */
    public void receive(End from, byte[] message) {
        give(from == End.CLIENT ? Library.CLIENT : Library.SERVER, message);
    }

    /** The same for a message of the host, if the host is that end. */
    public void receive(End from, String message) {
        receive(from, Json.bytes(message));
    }

    /**
     * Takes every line of a stream as a message of that end, until the stream or the connection is closed. Run it in a
     * thread of its own. Of a line over 64 MiB the connection gets the beginning, and refuses it.
     */
    public void read(End from, InputStream stream) {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        byte[] chunk = new byte[1 << 16];
        try {
            for (int size = read(stream, chunk); size >= 0 && !closed; size = read(stream, chunk)) {
                int start = 0;
                for (int i = 0; i < size; i++) {
                    if (chunk[i] == '\n') {
                        line.write(chunk, start, i - start);
                        line(from, line.toByteArray());
                        line.reset();
                        start = i + 1;
                    }
                }
                line.write(chunk, start, line.size() > LONGEST ? 0 : size - start);
            }
            step(new Contract.Ended(from.name().toLowerCase(Locale.ROOT)));
        } catch (ElicitException failure) {
            if (!closed) {
                throw failure;
            }
        }
    }

    private static int read(InputStream stream, byte[] chunk) {
        try {
            return stream.read(chunk);
        } catch (IOException broken) {
            return -1;
        }
    }

    private void line(End from, byte[] line) {
        if (line.length <= LONGEST) {
            receive(from, line);
            return;
        }
        step(Json.write(Map.of("message", new String(line, 0, 1 << 16, StandardCharsets.UTF_8), "event",
                Map.of("event", "received", "from", from.name().toLowerCase(Locale.ROOT), "cut", true))));
    }

    /** Takes an event. */
    public void step(Contract.RelayEvent event) {
        step(Json.write(event.json()));
    }

    /** Takes an event of JSON. */
    public void step(byte[] event) {
        give(Library.STEP, event);
    }

    /** Takes the answer of a person: the action accept, decline or cancel, and the content of an accepted form. */
    public void answer(Contract.Show question, String action, Map<String, Object> content) {
        step(new Contract.Answered(question.session(), question.id(), null, action, null, null, null, null, null,
                content, null, null, null));
    }

    private void give(int op, byte[] input) {
        Library.call(op, handle, input);
        synchronized (changed) {
            inputs++;
            changed.notifyAll();
        }
    }

    /**
     * The next effect, or the time until something is due. It does not wait.
     *
     * <p>An effect that this version cannot read is an exception once, with the code {@code unreadable} and the effect
     * in the message of its cause. A question is answered first: cancelled, because no user interface could show it.
     */
    public Step next() {
        return next(-1, -1);
    }

    /** The same by the clocks of the host, in milliseconds. {@code elapsed} is of one that nobody sets. */
    public Step next(long at, long elapsed) {
        if (!taking.compareAndSet(null, Thread.currentThread())) {
            throw new IllegalStateException("effects are taken one after another, and not inside a callback");
        }
        try {
            byte[][] made = kept == null ? made(at, elapsed) : kept;
            kept = null;
            return read(made[0], made[1]);
        } finally {
            taking.set(null);
        }
    }

    Step read(byte[] effect, byte[] message) {
        String json = new String(effect, StandardCharsets.UTF_8);
        Map<String, Object> members = Map.of();
        try {
            members = Json.object(effect);
            return members.get("wait") instanceof Number wait ? new Step(null, json, null, wait.longValue())
                    : new Step(Contract.RelayEffect.of(members), json, message, 0);
        } catch (RuntimeException wrong) {
            if ("show".equals(members.get("effect")) && !Boolean.TRUE.equals(members.get("by_client"))
                    && members.get("session") instanceof String session && members.get("id") instanceof String id) {
                step(Json.write(Map.of("event", "answered", "session", session, "id", id, "action", "cancel", "via",
                        "no_ui")));
            }
            throw new ElicitException("unreadable", null, new IllegalArgumentException(json, wrong));
        }
    }

    private byte[][] made(long at, long elapsed) {
        byte[][] made = new byte[2][];
        try {
            Library.next(handle, new Callbacks(), made, at, elapsed);
            return made;
        } catch (Throwable thrown) {
            if (thrown instanceof ElicitException failure && failure.code().equals("no_memory")) {
                close(); // an effect is lost
            } else if (made[0] != null) {
                kept = made; // what a callback threw does not end the connection
            }
            throw thrown;
        }
    }

    /** Waits for the next effect. After {@link #close} it is null. */
    public Step take() throws InterruptedException {
        while (!closed) {
            long seen;
            synchronized (changed) {
                seen = inputs;
            }
            Step step;
            try {
                step = next();
            } catch (ElicitException failure) {
                if (closed && failure.code().equals("unknown_handle")) {
                    break;
                }
                throw failure;
            }
            if (step.effect() != null) {
                return step;
            }
            await(seen, step.delay());
        }
        return null;
    }

    private void await(long seen, long wait) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(wait);
        synchronized (changed) {
            while (inputs == seen && !closed) {
                long left = (end - System.nanoTime() + 999_999) / 1_000_000;
                if (wait >= 0 && left <= 0) {
                    return;
                }
                changed.wait(wait < 0 ? 0 : left);
            }
        }
    }

    /**
     * Closes the connection, from any thread and also from a callback. Questions that are open get no answer. For one,
     * give {@code new Contract.Ended("host")} before, and perform the effects.
     */
    @Override
    public void close() {
        closed = true;
        closing.clean();
        synchronized (changed) {
            changed.notifyAll();
        }
    }

    /** The host with what its exceptions mean. */
    private final class Callbacks implements Library.Calls {
        @Override
        public boolean append(byte[] record) {
            try {
                host.append(record);
                return true;
            } catch (Exception thrown) {
                throw new ElicitException("append_failed", null, thrown);
            }
        }

        @Override
        public boolean consult(byte[] effect) {
            try {
                String json = new String(effect, StandardCharsets.UTF_8);
                return host.consult(Contract.Consult.of(Json.object(effect)), json);
            } catch (Exception thrown) {
                throw new ElicitException("consult_failed", null, thrown);
            }
        }

        @Override
        public byte[] random() {
            try {
                return host.random();
            } catch (Exception thrown) {
                throw new ElicitException("random_failed", null, thrown);
            }
        }
    }
}

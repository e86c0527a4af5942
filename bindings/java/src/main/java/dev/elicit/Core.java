package dev.elicit;

import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.util.List;
import java.util.Map;

/** What needs no connection: forms, answers, and the stateless operations. */
public final class Core {
    private Core() {}

    /** The operations, events, effects, codes and limits of the library. */
    public static Map<String, Object> describe() {
        return Json.object(Library.call(Library.DESCRIBE, 0, new byte[0]));
    }

    /** Runs a stateless operation, such as "inspect". testdata/vectors/README.md lists them. */
    public static Map<String, Object> evaluate(String operation, Map<String, Object> input) {
        return Json.object(evaluate(operation, Json.write(input)));
    }

    /** The same in JSON. */
    public static byte[] evaluate(String operation, byte[] input) {
        return Library.evaluate(operation, input);
    }

    /** Reads a schema as the form that a person fills in. */
    public static Form form(Map<String, Object> schema) {
        return new Form(schema);
    }

    /**
     * Reads what a person has typed into the fields of a form. {@code schema} is the text of the schema, such as that
     * of {@link Contract.QuestionCame}.
     */
    @SuppressWarnings("unchecked")
    public static Reading read(String schema, Map<String, String> typed) {
        // The engine has taken the schema, and its configuration may have any limits: these are the most of each.
        Map<String, Object> limits = Map.of("bytes", 98_304, "fields", 512, "choices", 10_000);
        Map<String, Object> answer = evaluate("coerce",
                Map.of("schema_text", schema, "text", typed, "limits", limits));
        return new Reading((Map<String, Object>) answer.get("content"), Library.problems(answer));
    }

    /** An English sentence for each problem. */
    @SuppressWarnings("unchecked")
    public static List<String> explain(List<Contract.Problem> problems) {
        return (List<String>) evaluate("explain",
                Map.of("problems", problems.stream().map(Contract.Problem::json).toList())).get("problems");
    }

    /** The content of an answer, and what is wrong with it. */
    public record Reading(Map<String, Object> content, List<Contract.Problem> problems) {}

    /** A form that checks answers while a person types, from any number of threads. */
    public static final class Form implements AutoCloseable {
        private final long handle;
        private final Contract.Form form;
        private final Cleaner.Cleanable closing;

        private Form(Map<String, Object> schema) {
            long[] opened = new long[1];
            byte[] answer = Library.open(Library.FORM, Json.write(Map.of("schema", schema)), opened);
            long handle = opened[0];
            this.handle = handle;
            closing = Library.CLEANER.register(this, () -> Library.close(handle));
            form = Contract.Form.of(form(answer));
        }

        @SuppressWarnings("unchecked")
        private static Map<String, Object> form(byte[] answer) {
            return (Map<String, Object>) Json.object(answer).get("form");
        }

        /** The fields to draw. */
        public Contract.Form form() {
            return form;
        }

        /** The problems of an answer, or an empty list. */
        public List<Contract.Problem> check(Map<String, Object> content) {
            try {
                return Library.problems(Json.object(Library.call(Library.CHECK, handle, Json.write(content))));
            } finally {
                Reference.reachabilityFence(this);
            }
        }

        @Override
        public void close() {
            closing.clean();
        }
    }
}

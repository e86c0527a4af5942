package dev.elicit;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;

/** What a host can do wrong, and what a peer can send. It prints a line for each check. */
public final class ElicitTest {
    private static final byte[] ASK = ("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"elicitation/create\",\"params\":{"
            + "\"message\":\"Keep for how long?\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{\"days\":{"
            + "\"type\":\"integer\",\"maximum\":30}},\"required\":[\"days\"]}}}").getBytes(StandardCharsets.UTF_8);
    private static final Map<String, Object> RELAY = Map.of("server", "backup", "role", "client", "modes",
            List.of("form", "url"), "session", Map.of("version", "2025-11-25", "declared", List.of("form", "url")));
    private static final Map<String, Object> SCHEMA = Map.of("type", "object", "properties",
            Map.of("days", Map.of("type", "integer", "maximum", 30)), "required", List.of("days"));

    private ElicitTest() {}

    private interface Check {
        void run() throws Exception;
    }

    private static void want(boolean good, Object said) {
        if (!good) {
            throw new AssertionError(said);
        }
    }

    private static <T extends Throwable> T thrown(Class<T> type, Callable<?> call) throws Exception {
        try {
            throw new AssertionError("no exception, but " + call.call());
        } catch (Throwable thrown) {
            if (type.isInstance(thrown)) {
                return type.cast(thrown);
            }
            throw new AssertionError(thrown);
        }
    }

    /** The names of the effects until the connection waits, with those of exceptions. */
    private static List<String> taken(Elicit relay) {
        List<String> names = new ArrayList<>();
        while (true) {
            try {
                Elicit.Step step = relay.next();
                if (step.effect() == null) {
                    return names;
                }
                names.add(step.effect().getClass().getSimpleName());
            } catch (ElicitException failure) {
                names.add(failure.code());
                if (failure.code().equals("unknown_handle")) {
                    return names;
                }
            }
        }
    }

    private static Contract.Show shown(Elicit relay) {
        return (Contract.Show) showing(relay).effect();
    }

    private static Elicit.Step showing(Elicit relay) {
        while (true) {
            Elicit.Step step = relay.next();
            want(step.effect() != null, "no question");
            if (step.effect() instanceof Contract.Show) {
                return step;
            }
        }
    }

    /** No engine makes an effect that cannot be read, so this gives some to the method that reads them. */
    private static void unreadableEffects() throws Exception {
        try (Elicit relay = Elicit.open(RELAY, Host.NONE)) {
            relay.receive(Elicit.End.SERVER, ASK);
            String show = showing(relay).json();
            for (String unreadable : List.of(show.substring(0, 9), show.replace("\"Keep for how long?\"", "7"))) {
                ElicitException wrong = thrown(ElicitException.class,
                        () -> relay.read(unreadable.getBytes(StandardCharsets.UTF_8), null));
                want(wrong.code().equals("unreadable") && wrong.getCause().getMessage().equals(unreadable), wrong);
            }
            List<String> sent = new ArrayList<>();
            for (Elicit.Step step = relay.next(); step.effect() != null; step = relay.next()) {
                if (step.message() != null) {
                    sent.add(step.text());
                }
            }
            want(sent.equals(List.of("{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{\"action\":\"cancel\"}}")), sent);
        }
    }

    private static void conversation() throws Exception {
        List<String> records = new ArrayList<>();
        Host host = new Host() {
            @Override
            public void append(byte[] record) {
                records.add(new String(record, StandardCharsets.UTF_8));
            }
        };
        try (Elicit relay = Elicit.open(RELAY, host)) {
            relay.receive(Elicit.End.SERVER, ASK);
            Contract.Show show = shown(relay);
            want(show.form().fields().get(0).constraints().maximum().equals(30L), show);
            relay.answer(show, "accept", Map.of("days", 99));
            Elicit.Step step = relay.take();
            want(step.effect() instanceof Contract.ProblemEffect said && said.about().equals("answer")
                    && said.problems().get(0).pointer().equals("/days"), step);
            relay.answer(show, "accept", Map.of("days", new BigDecimal("7.0")));
            while (!(step.effect() instanceof Contract.Send)) {
                step = relay.take();
            }
            String sent = new String(step.message(), StandardCharsets.UTF_8);
            want(sent.contains("\"content\":{\"days\":7}"), sent);
            relay.step(new Contract.Ended("host"));
            taken(relay);
        }
        want(records.size() > 2 && records.stream().allMatch(r -> r.startsWith("{") && r.endsWith("}")), records);
    }

    private static void problemsHavePlaces() throws Exception {
        ElicitException wrong = thrown(ElicitException.class,
                () -> Elicit.open(Map.of("server", "s", "modes", List.of("song")), Host.NONE));
        want(wrong.pointer().startsWith("/relay/modes") && !wrong.problems().isEmpty(), wrong);
        try (Elicit relay = Elicit.open(RELAY, Host.NONE)) {
            wrong = thrown(ElicitException.class, () -> {
                relay.step("{\"event\":\"sung\"}".getBytes(StandardCharsets.UTF_8));
                return null;
            });
            want(wrong.pointer().equals("/event"), wrong);
        }
    }

    private static void callbacksThatThrow() {
        Throwable[] kinds = {new IOException("full"), new IllegalStateException("mine"), new StackOverflowError(),
                new OutOfMemoryError("mine"), new ThreadDeathAlike()};
        for (Throwable kind : kinds) {
            Host host = new Host() {
                @Override
                public void append(byte[] record) throws Exception {
                    ElicitTest.<RuntimeException>raise(kind);
                }
            };
            try (Elicit relay = Elicit.open(RELAY, host)) {
                relay.receive(Elicit.End.SERVER, ASK);
                List<String> after = new ArrayList<>();
                try {
                    after.add("no exception: " + relay.next());
                } catch (ElicitException failure) {
                    want(failure.code().equals("append_failed") && failure.getCause() == kind, failure);
                } catch (Throwable error) {
                    want(error == kind, error);
                }
                after.addAll(taken(relay));
                want(after.contains("Send") && !after.contains("Show"), after); // the server gets an error
            }
        }
    }

    private static final class ThreadDeathAlike extends Error {
        private static final long serialVersionUID = 1;
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void raise(Throwable thrown) throws T {
        throw (T) thrown;
    }

    private static void badRandomBytes() {
        byte[][] all = {null, {}, new byte[31], new byte[33]};
        for (byte[] bytes : all) {
            Host host = new Host() {
                @Override
                public byte[] random() throws IOException {
                    return bytes;
                }
            };
            try (Elicit relay = Elicit.open(RELAY, host)) {
                relay.receive(Elicit.End.SERVER, ASK);
                List<String> after = taken(relay);
                want(after.contains("Send") && !after.contains("Show"), after);
            }
        }
    }

    private static void guardianThatThrows() {
        Map<String, Object> relay = new HashMap<>(RELAY);
        relay.put("config", Map.of("guardians", List.of(Map.of("name", "aunt", "phases", List.of("before_show")))));
        Host host = new Host() {
            @Override
            public boolean consult(Contract.Consult effect, String json) throws IOException {
                want(effect.guardian().equals("aunt") && json.contains("\"aunt\""), json);
                throw new IOException("she is out");
            }
        };
        try (Elicit open = Elicit.open(relay, host)) {
            open.receive(Elicit.End.SERVER, ASK);
            List<String> names = taken(open);
            want(names.contains("consult_failed") && names.contains("Send"), names); // no effect is lost
        }
    }

    private static void callsFromCallbacks() {
        AtomicReference<Elicit> open = new AtomicReference<>();
        Host host = new Host() {
            @Override
            public void append(byte[] record) {
                open.get().receive(Elicit.End.SERVER, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\"}".getBytes(
                        StandardCharsets.UTF_8));
                open.get().next();
            }
        };
        try (Elicit relay = Elicit.open(RELAY, host)) {
            open.set(relay);
            List<String> names = taken(relay);
            want(names.contains("append_failed") && names.contains("Forward"), names);
        }
    }

    private static void closeInACallback() throws Exception {
        for (boolean throwsToo : new boolean[] {false, true}) {
            AtomicReference<Elicit> open = new AtomicReference<>();
            Host host = new Host() {
                @Override
                public void append(byte[] record) throws IOException {
                    open.get().close();
                    if (throwsToo) {
                        throw new IOException("closed");
                    }
                }
            };
            Elicit relay = Elicit.open(RELAY, host);
            open.set(relay);
            List<String> names = taken(relay);
            want(names.get(names.size() - 1).equals("unknown_handle") && names.size() == (throwsToo ? 2 : 1), names);
            want(relay.take() == null, "taken after the close");
            relay.close();
            for (Callable<?> late : List.<Callable<?>>of(relay::next, () -> {
                relay.receive(Elicit.End.CLIENT, ASK);
                return null;
            })) {
                want(thrown(ElicitException.class, late).code().equals("unknown_handle"), "after the close");
            }
        }
    }

    private static void closeWhileItWaits() throws Exception {
        Elicit relay = Elicit.open(RELAY, Host.NONE);
        AtomicReference<Object> end = new AtomicReference<>("nothing");
        Thread waiting = new Thread(() -> {
            try {
                Elicit.Step step = relay.take();
                while (step != null) {
                    step = relay.take();
                }
                end.set("closed");
            } catch (InterruptedException | ElicitException thrown) {
                end.set(thrown);
            }
        });
        waiting.start();
        while (waiting.getState() != Thread.State.WAITING && waiting.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        relay.close();
        waiting.join();
        want(end.get().equals("closed"), end.get());
    }

    private static void manyThreads() throws Exception {
        for (int round = 0; round < 20; round++) {
            Elicit relay = Elicit.open(RELAY, Host.NONE);
            AtomicInteger passed = new AtomicInteger();
            List<Thread> threads = new ArrayList<>();
            List<Throwable> wrong = Collections.synchronizedList(new ArrayList<>());
            CountDownLatch half = new CountDownLatch(100);
            for (int i = 0; i < 4; i++) {
                threads.add(new Thread(() -> {
                    try {
                        for (int n = 0; n < 50; n++) {
                            relay.receive(Elicit.End.SERVER, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\"}");
                            half.countDown();
                        }
                    } catch (ElicitException failure) {
                        half.countDown();
                        if (!failure.code().equals("unknown_handle")) {
                            wrong.add(failure);
                        }
                    }
                }));
            }
            threads.add(new Thread(() -> {
                try {
                    for (Elicit.Step step = relay.take(); step != null; step = relay.take()) {
                        passed.addAndGet(step.effect() instanceof Contract.Forward ? 1 : 0);
                        if (passed.get() == 200) {
                            relay.close();
                        }
                    }
                } catch (InterruptedException | RuntimeException failure) {
                    wrong.add(failure);
                }
            }));
            threads.forEach(Thread::start);
            if (round % 2 == 1) {
                half.await();
                relay.close();
            }
            for (Thread thread : threads) {
                thread.join();
            }
            want(wrong.isEmpty() && (round % 2 == 1 || passed.get() == 200), wrong + " " + passed);
        }
    }

    private static void oneTakerAtATime() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch leave = new CountDownLatch(1);
        Host host = new Host() {
            @Override
            public void append(byte[] record) throws InterruptedException {
                inside.countDown();
                leave.await();
            }
        };
        try (Elicit relay = Elicit.open(RELAY, host)) {
            Thread first = new Thread(() -> taken(relay));
            first.start();
            inside.await();
            thrown(IllegalStateException.class, relay::next);
            leave.countDown();
            first.join();
        }
    }

    private static void largeMessages() throws Exception {
        try (Elicit relay = Elicit.open(RELAY, Host.NONE)) {
            byte[] large = new byte[64 << 20];
            Arrays.fill(large, (byte) ' ');
            byte[] notice = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\",\"params\":{\"x\":\"".getBytes(
                    StandardCharsets.UTF_8);
            Arrays.fill(large, notice.length, large.length - 3, (byte) 'x');
            System.arraycopy(notice, 0, large, 0, notice.length);
            System.arraycopy("\"}}".getBytes(StandardCharsets.UTF_8), 0, large, large.length - 3, 3);
            relay.receive(Elicit.End.SERVER, large);
            Elicit.Step step = relay.take();
            while (!(step.effect() instanceof Contract.Forward)) {
                step = relay.take();
            }
            want(Arrays.equals(step.message(), large), "another message");
            ElicitException wrong = thrown(ElicitException.class, () -> {
                relay.receive(Elicit.End.SERVER, new byte[200 << 20]);
                return null;
            });
            want(wrong.code().equals("message_too_long"), wrong);
            thrown(ElicitException.class, () -> {
                relay.step(new byte[9 << 20]);
                return null;
            });
        }
    }

    /** The numbers of a question and of a held call arrive as they are, and leave again. */
    private static void numbers() throws Exception {
        List<String> numbers = List.of("1E+400", "-1E-400", "12345678901234567890123", "-1.50", "1e99999999999",
                "9".repeat(1 << 14));
        Map<String, Object> opening = new HashMap<>(RELAY);
        opening.put("hold_calls", true);
        for (String number : numbers) {
            Object read = Json.read(number);
            want(read.toString().equals(number) && read.equals(Json.read(number)), number);
            want(new String(Json.write(read), StandardCharsets.UTF_8).equals(number), number);
            try (Elicit relay = Elicit.open(opening, Host.NONE)) {
                String ask = new String(ASK, StandardCharsets.UTF_8).replace("integer", "number");
                relay.receive(Elicit.End.SERVER, ask.replace("30", number));
                Contract.Show show = shown(relay);
                Number most = show.form().fields().get(0).constraints().maximum();
                want(most.toString().equals(number), most);
                relay.answer(show, "decline", null);
                relay.receive(Elicit.End.CLIENT, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":"
                        + "{\"name\":\"save\",\"arguments\":{\"x\":" + number + "}}}");
                Contract.Show call = shown(relay);
                want(call.arguments().get("x").toString().equals(number), call);
            }
        }
    }

    private static void oddTexts() throws Exception {
        Object read = Json.read("{\"a\":\"\\ud800\",\"b\":[1.0,1e2,-0,12345678901234567890,null,\"\\u0000\\u00e9\"]}");
        want(new String(Json.write(read), StandardCharsets.UTF_8).equals(
                "{\"a\":\"\\ud800\",\"b\":[1.0,1E+2,0,12345678901234567890,null,\"\\u0000\u00e9\"]}"),
                new String(Json.write(read), StandardCharsets.UTF_8));
        String[] broken = {"", "{", "[1,]", "{\"a\":1,}", "{\"a\":1,\"a\":2}", "01", "1.", "\"\n\"", "\"\\x\"", "[1 2]",
                "nul", "\"\\u12g4\"", "1 1", "+1", "\u0000", "[".repeat(5000)};
        for (String text : broken) {
            thrown(IllegalArgumentException.class, () -> Json.read(text));
        }
        thrown(IllegalArgumentException.class, () -> Json.write(Double.NaN));
        thrown(IllegalArgumentException.class, () -> Json.read(new byte[] {'"', (byte) 0xff, '"'}));
        List<Object> itself = new ArrayList<>();
        itself.add(itself);
        thrown(IllegalArgumentException.class, () -> Json.write(itself));
        try (Elicit relay = Elicit.open(RELAY, Host.NONE)) {
            relay.receive(Elicit.End.SERVER, ASK);
            Contract.Show show = shown(relay);
            want(thrown(ElicitException.class, () -> {
                relay.answer(show, "accept", Map.of("days", "\ud800"));
                return null;
            }).pointer().equals("/content/days"), "an answer with a lone surrogate");
            relay.receive(Elicit.End.SERVER, new byte[] {(byte) 0xff, 0, (byte) 0xc0});
            relay.receive(Elicit.End.SERVER, new byte[0]);
            want(taken(relay).contains("Note"), "a message that is not UTF-8");
        }
        ElicitException zero = thrown(ElicitException.class, () -> Core.evaluate("parse\0x", Map.of("document", 1)));
        want(zero.code().equals("unknown_op"), zero);
        thrown(IllegalArgumentException.class, () -> Core.evaluate("\ud800", new byte[0]));
        thrown(NullPointerException.class, () -> Core.evaluate("check", (byte[]) null));
    }

    private static void forms() throws Exception {
        Core.Form form = Core.form(SCHEMA);
        want(form.form().fields().get(0).name().equals("days"), form.form());
        want(form.check(Map.of("days", 7)).isEmpty(), "a good answer");
        List<Contract.Problem> problems = form.check(Map.of("days", 99));
        want(problems.get(0).pointer().equals("/days"), problems);
        want(Core.explain(problems).get(0).contains("30"), Core.explain(problems));
        String text = new String(Json.write(SCHEMA), StandardCharsets.UTF_8);
        Core.Reading reading = Core.read(text, Map.of("days", "12"));
        want(reading.content().equals(Map.of("days", 12L)) && reading.problems().isEmpty(), reading);
        want(!Core.read(text, Map.of("days", "many")).problems().isEmpty(), "words for a number");
        List<String> many = IntStream.range(0, 10_000).mapToObj(i -> "v" + i).toList();
        Map<String, Object> choice = Map.of("type", "string", "enum", many);
        byte[] large = Json.write(Map.of("type", "object", "properties", Map.of("f", choice)));
        reading = Core.read(new String(large, StandardCharsets.UTF_8), Map.of("f", "v9999"));
        want(reading.content().equals(Map.of("f", "v9999")), "a schema that only raised limits let in");
        form.close();
        form.close();
        ElicitException late = thrown(ElicitException.class, () -> form.check(Map.of()));
        want(late.code().equals("unknown_handle"), late);
        ElicitException wrong = thrown(ElicitException.class, () -> Core.form(Map.of("type", "array")));
        want(wrong.pointer().startsWith("/") && Core.describe().containsKey("effects"), wrong);
    }

    private static void smallStack() throws Exception {
        AtomicInteger refused = new AtomicInteger();
        CountDownLatch all = new CountDownLatch(64); // some get a larger stack of a thread that has ended
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 64; i++) {
            threads.add(new Thread(null, () -> {
                try {
                    all.countDown();
                    all.await();
                    Core.evaluate("check", Map.of("schema", SCHEMA, "content", Map.of("days", 7)));
                } catch (StackOverflowError expected) {
                    refused.incrementAndGet();
                } catch (InterruptedException failure) {
                    throw new AssertionError(failure);
                }
            }, "small", 256 << 10));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        want(refused.get() > 0, "no call was refused");
        try {
            recurse();
        } catch (StackOverflowError expected) {
            want(Core.describe().containsKey("effects"), "after an overflow");
        }
    }

    private static int recurse() {
        Core.evaluate("inspect", Map.of("message", "x"));
        return recurse() + 1;
    }

    public static void main(String[] args) throws Exception {
        Map<String, Check> checks = new java.util.LinkedHashMap<>();
        checks.put("a conversation", ElicitTest::conversation);
        checks.put("problems have places", ElicitTest::problemsHavePlaces);
        checks.put("callbacks that throw", ElicitTest::callbacksThatThrow);
        checks.put("bad random bytes", ElicitTest::badRandomBytes);
        checks.put("a guardian that throws", ElicitTest::guardianThatThrows);
        checks.put("calls from callbacks", ElicitTest::callsFromCallbacks);
        checks.put("close in a callback", ElicitTest::closeInACallback);
        checks.put("close while it waits", ElicitTest::closeWhileItWaits);
        checks.put("many threads", ElicitTest::manyThreads);
        checks.put("one taker at a time", ElicitTest::oneTakerAtATime);
        checks.put("large messages", ElicitTest::largeMessages);
        checks.put("odd texts", ElicitTest::oddTexts);
        checks.put("numbers", ElicitTest::numbers);
        checks.put("unreadable effects", ElicitTest::unreadableEffects);
        checks.put("forms", ElicitTest::forms);
        checks.put("a small stack", ElicitTest::smallStack);
        for (Map.Entry<String, Check> check : checks.entrySet()) {
            try {
                check.getValue().run();
                System.out.println("ok " + check.getKey());
            } catch (Throwable thrown) {
                System.out.println("FAILED " + check.getKey());
                thrown.printStackTrace(System.out);
            }
        }
    }
}

package dev.elicit;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Unknown effects and members of a later version change nothing of what a host of today knows. */
public final class LaterTest {
    private static final Map<String, Function<Map<String, Object>, Object>> READERS = Map.of("Effect",
            Contract.Effect::of, "RelayEffect", Contract.RelayEffect::of, "AskingEffect", Contract.AskingEffect::of);

    private LaterTest() {}

    /** The effects of a step, without those of a later version. */
    @SuppressWarnings("unchecked")
    private static List<Object> read(Object machine, Object output) {
        Map<String, Object> step = (Map<String, Object>) Json.read((String) output);
        return ((List<Map<String, Object>>) step.get("effects")).stream().map(READERS.get(machine))
                .filter(effect -> !(effect instanceof Contract.Unknown)).toList();
    }

    /** The argument is testdata/later.json. */
    public static void main(String[] args) throws Exception {
        List<?> steps = (List<?>) Json.read(Files.readString(Path.of(args[0])));
        if (steps.size() < 50) {
            throw new AssertionError("the test has lost its subject");
        }
        for (Object one : steps) {
            Map<?, ?> step = (Map<?, ?>) one;
            List<Object> want = read(step.get("machine"), step.get("plain"));
            List<Object> got = read(step.get("machine"), step.get("later"));
            if (want.isEmpty() || !got.equals(want)) {
                throw new AssertionError(step.get("later") + "\n got " + got + "\nwant " + want);
            }
        }
    }
}

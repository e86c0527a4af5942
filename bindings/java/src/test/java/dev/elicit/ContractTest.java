package dev.elicit;

import java.util.List;
import java.util.Map;

/** A host of today reads the effects of a later version and writes events without what was left out. */
public final class ContractTest {
    private ContractTest() {}

    public static void main(String[] args) {
        Map<String, Object> problem = Map.of("code", "too_long", "pointer", "/a", "later", 1);
        Contract.Effect read = Contract.Effect.of(
                Map.of("effect", "problem", "about", "rain", "problems", List.of(problem), "later", List.of()));
        if (!(read instanceof Contract.ProblemEffect said) || !said.about().equals("rain") || said.id() != null
                || !said.problems().get(0).pointer().equals("/a")) {
            throw new AssertionError(read);
        }
        Map<String, Object> later = Map.of("effect", "sing", "to", "client");
        if (!(Contract.RelayEffect.of(later) instanceof Contract.Unknown unknown) || unknown.json() != later
                || !(Contract.AskingEffect.of(Map.of()) instanceof Contract.Unknown)) {
            throw new AssertionError("an effect of a later version");
        }
        Map<String, Object> wake = Map.of("effect", "wake", "at", 5, "in", 7.0);
        if (!Contract.Effect.of(wake).equals(new Contract.Wake(5L, 7L))) {
            throw new AssertionError(Contract.Effect.of(wake));
        }
        Contract.Event event = new Contract.Answered("s", "1", null, "accept", null, null,
                new Contract.AnsweredRemember("session", null, null), null, null, Map.of("n", 1), null, null, null);
        if (!event.json().equals(Map.of("event", "answered", "session", "s", "id", "1", "action", "accept",
                "remember", Map.of("scope", "session"), "content", Map.of("n", 1)))) {
            throw new AssertionError(event.json());
        }
    }
}

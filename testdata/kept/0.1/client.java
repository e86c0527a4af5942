import dev.elicit.*;
import dev.elicit.Elicit.End;
import java.util.*;
/** A host in Java: a connection, a form and a decision. */
public class client {
    static final String SCHEMA = "{'type':'object','properties':{'days':{'type':'integer','maximum':30}}}";
    static String json(String text) { return text.replace('\'', '"'); }
    static Contract.Show told(String what, Elicit connection) {
        Contract.Show shown = null;
        for (Elicit.Step step = connection.next(); step.effect() != null; step = connection.next()) {
            if (step.to() != null) System.out.println(what + ": write to " + step.to());
            if (step.effect() instanceof Contract.Show show) shown = show;
            if (step.effect() instanceof Contract.Settled end) System.out.println(what + ": " + end.reply().outcome());
        }
        return shown;
    }
    static String ask(String params) {
        return json("{'jsonrpc':'2.0','id':'q','method':'elicitation/create','params':" + params + "}");
    }
    public static void main(String[] args) {
        Map<String, Object> policy = Map.of("user", Map.of("version", 1, "rules",
                List.of(Map.of("name", "no-url", "when", Map.of("mode", "url"), "then", "decline"))));
        List<String> modes = List.of("form", "url");
        try (Elicit connection = Elicit.open(Map.of("server", "backup", "role", "client", "modes", modes,
                "session", Map.of("version", "2025-11-25", "declared", modes),
                "config", Map.of("policy", policy)), Host.NONE)) {
            connection.receive(End.SERVER, ask("{'mode':'url','message':'Pay','elicitationId':'p',"
                    + "'url':'https://shop.example/'}"));
            told("url", connection);
            connection.receive(End.SERVER, ask("{'message':'Keep?','requestedSchema':" + SCHEMA + "}"));
            Contract.Show show = told("question", connection);
            System.out.println("shown: " + show.message() + " " + show.form().fields().get(0).label());
            connection.answer(show, "accept", Map.of("days", 7));
            told("answered", connection);
        }
        System.out.println("read: " + Core.read(json(SCHEMA), Map.of("days", "99")).problems().get(0).code());
        Map<String, Object> decided = Core.evaluate("decide", Map.of("policy", policy, "facts", Map.of("mode", "url")));
        System.out.println("decide: " + decided.get("outcome"));
    }
}

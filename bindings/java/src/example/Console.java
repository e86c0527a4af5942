import dev.elicit.*;
import dev.elicit.Elicit.End;
import java.util.*;

/** Calls a tool and asks its questions here: java -cp elicit-engine.jar Console.java SERVER ARGUMENT... */
public class Console {
    static final Scanner TYPED = new Scanner(System.in);
    static void say(String text) { System.out.println(text.replaceAll("\\p{C}", " ")); } // a peer's text is only text
    static String ask(String text) { say("  " + text + "?"); return TYPED.nextLine(); }
    static void answer(Elicit relay, Contract.Show show, String schema) {
        say(show.server() + " asks: " + show.message());
        for (Contract.Finding finding : show.findings()) say("  ! " + finding.code());
        Map<String, String> typed = new HashMap<>();
        for (Contract.Field field : show.form().fields()) typed.put(field.name(), ask(field.label()));
        Core.Reading read = Core.read(schema, typed);
        Core.explain(read.problems()).forEach(Console::say);
        if (!read.problems().isEmpty()) answer(relay, show, schema);
        else relay.answer(show, ask("Send it, y or n").equals("y") ? "accept" : "decline", read.content());
    }
    public static void main(String[] args) throws Exception {
        Process server = new ProcessBuilder(args).start();
        Elicit relay = Elicit.open(Map.of("server", "demo", "role", "client", "modes", List.of("form")), Host.NONE);
        java.util.concurrent.CompletableFuture.runAsync(() -> relay.read(End.SERVER, server.getInputStream()));
        for (String call : """
            {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",\
            "capabilities":{},"clientInfo":{"name":"Console","version":"1"}}}
            {"jsonrpc":"2.0","method":"notifications/initialized"}
            {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"snapshot"}}""".split("\n"))
            relay.receive(End.CLIENT, call);
        String schema = null;
        for (Elicit.Step step = relay.take(); step != null; step = relay.take()) {
            if (step.to() == End.SERVER) step.writeTo(server.getOutputStream());
            if (step.to() == End.CLIENT) say(step.text());
            if (step.to() == End.CLIENT && step.text().contains("\"id\":2,")) server.getOutputStream().close();
            if (step.effect() instanceof Contract.QuestionCame came) schema = came.schema_text();
            if (step.effect() instanceof Contract.Show show) answer(relay, show, schema);
            if (step.effect() instanceof Contract.Close) relay.close();
        }
    }
}

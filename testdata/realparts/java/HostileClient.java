import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.ServerParameters;
import io.modelcontextprotocol.client.transport.StdioClientTransport;
import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.ClientCapabilities;
import io.modelcontextprotocol.spec.McpSchema.ElicitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;

/** The official Java SDK before a hostile server; see ../hostile/play.mjs for the command line and the output. */
public final class HostileClient {
    private HostileClient() {}

    private static final Duration PATIENCE = Duration.ofMillis(Long.parseLong(System.getenv("PATIENCE")));

    public static void main(String[] args) throws Exception {
        McpSyncClient client = connect(args);
        for (String name : Files.readAllLines(Path.of(args[1]))) {
            String outcome;
            boolean alive = true;
            try {
                outcome = call(client, name).toString();
            } catch (McpError e) {
                outcome = String.valueOf(e.getJsonRpcError());
            } catch (RuntimeException e) {
                outcome = e.toString();
                alive = false;
            }
            say("{\"done\":" + quoted(name) + ",\"outcome\":" + quoted(outcome) + "}");
            try {
                if (alive) {
                    call(client, "alive");
                }
            } catch (RuntimeException e) {
                alive = false;
            }
            if (!alive) { // a new connection, because a new machine takes a second
                say("{\"broke\":" + quoted(name) + "}");
                client = connect(args);
                continue;
            }
            say("{\"alive\":" + quoted(name) + "}");
        }
        Runtime.getRuntime().halt(0);
    }

    private static McpSyncClient connect(String[] args) {
        var parameters = ServerParameters.builder(args[2]).args(Arrays.copyOfRange(args, 3, args.length)).build();
        var transport = new StdioClientTransport(parameters, McpJsonDefaults.getMapper());
        transport.setStdErrorHandler(line -> {});
        McpSyncClient client = McpClient.sync(transport)
                .requestTimeout(PATIENCE)
                .capabilities(ClientCapabilities.builder().elicitation(true, true).build())
                .elicitation(request -> asked(request.message()))
                .urlElicitation(request -> asked(request.message()))
                .build();
        client.initialize();
        return client;
    }

    private static CallToolResult call(McpSyncClient client, String name) {
        return client.callTool(CallToolRequest.builder(name).arguments(Map.of()).build());
    }

    private static ElicitResult asked(String message) {
        say("{\"asked\":" + quoted(message) + "}");
        return ElicitResult.builder(ElicitResult.Action.ACCEPT).content(Map.of()).build();
    }

    private static synchronized void say(String line) {
        System.out.println(line);
        System.out.flush();
    }

    private static String quoted(String text) {
        try {
            return McpJsonDefaults.getMapper().writeValueAsString(text);
        } catch (java.io.IOException e) {
            return "\"unprintable\"";
        }
    }
}

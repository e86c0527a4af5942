import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.McpSyncServerExchange;
import io.modelcontextprotocol.server.transport.StdioServerTransportProvider;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.ElicitFormRequest;
import io.modelcontextprotocol.spec.McpSchema.ElicitRequest;
import io.modelcontextprotocol.spec.McpSchema.ElicitResult;
import io.modelcontextprotocol.spec.McpSchema.ElicitUrlRequest;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;

/** A server on the official Java SDK that asks over stdio. Every tool says what came of it as JSON. */
public final class FormsServer {
    private static final Map<String, Object> ANYTHING = Map.of("type", "object");
    private static final Set<String> SEEN = ConcurrentHashMap.newKeySet();

    private FormsServer() {}

    public static void main(String[] args) {
        var transport = new StdioServerTransportProvider(McpJsonDefaults.getMapper());
        var server = McpServer.sync(transport).serverInfo("java-forms", "1.0.0");
        tool(server, "ask", FormsServer::ask);
        tool(server, "visit", FormsServer::visit);
        tool(server, "required", FormsServer::required);
        server.build();
    }

    private static void tool(McpServer.SyncSpecification<?> server, String name,
            BiFunction<McpSyncServerExchange, CallToolRequest, CallToolResult> handler) {
        server.toolCall(Tool.builder(name, ANYTHING).description(name).build(), handler);
    }

    /** Asks with the schema it was given, or with the form of Jackson's kinds of values. */
    @SuppressWarnings("unchecked")
    private static CallToolResult ask(McpSyncServerExchange exchange, CallToolRequest call) {
        var schema = (Map<String, Object>) call.arguments().getOrDefault("schema", form());
        return put(exchange, ElicitFormRequest.builder(text(call, "message"), schema).build());
    }

    private static CallToolResult visit(McpSyncServerExchange exchange, CallToolRequest call) {
        return put(exchange, page(call));
    }

    /** Fails with -32042 until it has been called a second time with the same message. */
    private static CallToolResult required(McpSyncServerExchange exchange, CallToolRequest call) {
        if (SEEN.add(text(call, "message"))) {
            throw McpError.URL_ELICITATION_REQUIRED.apply(List.of(page(call)));
        }
        return say(Map.of("read", text(call, "message")));
    }

    private static ElicitUrlRequest page(CallToolRequest call) {
        return ElicitUrlRequest.builder(
                text(call, "message"), "https://accounts.example.com/java", "java-" + text(call, "message")).build();
    }

    private static CallToolResult put(McpSyncServerExchange exchange, ElicitRequest question) {
        var told = new LinkedHashMap<String, Object>();
        try {
            ElicitResult answer = exchange.createElicitation(question);
            told.put("action", answer.action().name().toLowerCase());
            if (answer.content() != null) {
                told.put("content", answer.content());
            }
        } catch (McpError e) {
            told.put("error", e.getJsonRpcError());
        } catch (RuntimeException e) {
            told.put("failed", e.getMessage());
        }
        return say(told);
    }

    private static CallToolResult say(Object told) {
        try {
            return CallToolResult.builder()
                .addTextContent(McpJsonDefaults.getMapper().writeValueAsString(told)).build();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String text(CallToolRequest call, String name) {
        return (String) call.arguments().get(name);
    }

    private static Map<String, Object> form() {
        var fields = new LinkedHashMap<String, Object>();
        fields.put("name", Map.of("type", "string", "title", "Name", "minLength", 1, "maxLength", 40));
        fields.put("count", Map.of("type", "integer", "minimum", 1, "maximum", 5_000_000_000L, "default", 3));
        fields.put("ratio", Map.of("type", "number", "minimum", 0.0, "maximum", 1.0, "default", 0.25));
        fields.put("sure", Map.of("type", "boolean", "default", false));
        fields.put("unit", Map.of("type", "string", "enum", List.of("SECONDS", "MINUTES"), "default", "MINUTES"));
        fields.put("day", Map.of("type", "string", "format", "date"));
        return Map.of("type", "object", "properties", fields, "required", List.of("name", "count"));
    }
}

//! The Rust SDK before a hostile server; see ../hostile/play.mjs for the command line and the output. With the one
//! argument "serve" it is a server that asks.

use rmcp::model::{
    CallToolRequestParams, ClientCapabilities, ClientConfig, ElicitRequestParams, ElicitResult, ElicitationAction,
    CallToolResponse, CallToolResult, ContentBlock, ElicitationCapability, ElicitationSchema, Implementation,
    ProtocolVersion,
    ServerCapabilities, ServerConfig,
};
use rmcp::service::{ClientLifecycleMode, ClientServiceExt, RequestContext, RunningService};
use rmcp::transport::TokioChildProcess;
use rmcp::{ClientHandler, ErrorData, RoleClient, RoleServer, ServerHandler, ServiceExt};
use serde_json::json;
use std::process::exit;
use std::time::Duration;

fn patience() -> Duration {
    let text = std::env::var("PATIENCE").expect("PATIENCE");
    Duration::from_millis(text.parse().expect("PATIENCE in milliseconds"))
}

struct Person;

impl ClientHandler for Person {
    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        let message = match request {
            ElicitRequestParams::FormElicitationParams { message, .. } => message,
            ElicitRequestParams::UrlElicitationParams { message, .. } => message,
            _ => "another kind".into(),
        };
        println!("{}", json!({ "asked": message }));
        Ok(ElicitResult::new(ElicitationAction::Accept).with_content(json!({})))
    }

    fn get_info(&self) -> ClientConfig {
        let mut elicitation = ElicitationCapability::new();
        elicitation.form = Some(Default::default());
        elicitation.url = Some(Default::default());
        let mut capabilities = ClientCapabilities::default();
        capabilities.elicitation = Some(elicitation);
        ClientConfig::new(capabilities, Implementation::new("rmcp", "1"))
            .with_protocol_version(ProtocolVersion::V_2025_11_25)
    }
}

/// A server whose tool asks and says what came of it.
struct Asker;

impl ServerHandler for Asker {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }

    async fn call_tool(
        &self,
        _: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let question = ElicitRequestParams::FormElicitationParams {
            meta: None,
            message: "Sure?".into(),
            requested_schema: ElicitationSchema::new(Default::default()),
        };
        let told = match context.peer.create_elicitation(question).await {
            Ok(answer) => format!("{:?}", answer.action).to_lowercase(),
            Err(error) => format!("{error:?}"),
        };
        Ok(CallToolResult::success(vec![ContentBlock::text(told)]).into())
    }
}

async fn call(client: &RunningService<RoleClient, Person>, name: &str) -> Result<String, String> {
    let request = client.call_tool(CallToolRequestParams::new(name.to_string()));
    match tokio::time::timeout(patience(), request).await {
        Ok(Ok(result)) => Ok(serde_json::to_string(&result).unwrap_or_default()),
        Ok(Err(error)) => Err(format!("{error:?}")),
        Err(_) => Err("no answer".into()),
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if args[0] == "serve" {
        let server = Asker.serve(rmcp::transport::stdio()).await.expect("a session");
        let _ = server.waiting().await;
        return;
    }
    let mut command = tokio::process::Command::new(&args[2]);
    command.args(&args[3..]);
    let server = TokioChildProcess::new(command).expect("the server starts");
    let lifecycle = match args[0].as_str() {
        "2026-07-28" => ClientLifecycleMode::Discover { preferred_versions: vec![ProtocolVersion::V_2026_07_28] },
        _ => ClientLifecycleMode::Initialize,
    };
    let client = match Person.serve_with_lifecycle(server, lifecycle).await {
        Ok(client) => client,
        Err(error) => {
            println!("{}", json!({ "connect": format!("{error:?}") }));
            exit(3);
        }
    };
    let names = std::fs::read_to_string(&args[1]).expect("names");
    for name in names.split_whitespace() {
        let outcome = call(&client, name).await.unwrap_or_else(|error| error);
        println!("{}", json!({ "done": name, "outcome": outcome }));
        if call(&client, "alive").await.is_err() {
            exit(9);
        }
        println!("{}", json!({ "alive": name }));
    }
    exit(0);
}

// A client on the official TypeScript SDK of the Agent Client Protocol:
//
//   node client.mjs ANSWER PROMPT COMMAND [ARGUMENT…]
//
// It starts the agent, sends one prompt, and prints a line of JSON for each question and each message. ANSWER is the
// optionId that it selects, or cancelled, or wait: then it answers nothing until the question is withdrawn, or cancel:
// then it cancels the turn when it is asked.
import { spawn } from 'node:child_process';
import { Readable, Writable } from 'node:stream';
import { client, methods, ndJsonStream, PROTOCOL_VERSION } from '@agentclientprotocol/sdk';

const [answer, prompt, command, ...args] = process.argv.slice(2);
const say = what => console.log(JSON.stringify(what));
const agent = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
let asked;
const isAsked = new Promise(resolve => (asked = resolve));

const cancelled = { outcome: { outcome: 'cancelled' } };

async function permission({ params, signal }, connection) {
    say({ asked: params.toolCall.title });
    asked();
    if (answer === 'cancel') await connection().notify(methods.agent.session.cancel, { sessionId: params.sessionId });
    if (answer === 'wait')
        await new Promise(resolve => (signal.aborted ? resolve() : signal.addEventListener('abort', resolve)));
    if (signal.aborted) say({ withdrawn: params.toolCall.title });
    if (['cancel', 'wait', 'cancelled'].includes(answer)) return cancelled;
    return { outcome: { outcome: 'selected', optionId: answer } };
}

let to;
await client({ name: 'realparts' })
    .onRequest(methods.client.session.requestPermission, context => permission(context, () => to))
    .onRequest(methods.client.elicitation.create, ({ params }) => {
        say({ asked: params.message });
        return answer === 'yes' ? { action: 'accept', content: { day: 'Monday' } } : { action: 'decline' };
    })
    .onRequest(methods.client.fs.readTextFile, async ({ params }) => {
        if (params.path === '/asked') await isAsked;
        return { content: params.path };
    })
    .onNotification(methods.client.session.update, ({ params }) => {
        const { sessionUpdate, content } = params.update;
        if (sessionUpdate === 'agent_message_chunk') say({ said: JSON.parse(content.text) });
    })
    .connectWith(ndJsonStream(Writable.toWeb(agent.stdin), Readable.toWeb(agent.stdout)), async connected => {
        to = connected;
        await to.request(methods.agent.initialize, {
            protocolVersion: PROTOCOL_VERSION,
            clientCapabilities: { fs: { readTextFile: true }, elicitation: { form: {} } }
        });
        const { sessionId } = await to.request(methods.agent.session.new, { cwd: process.cwd(), mcpServers: [] });
        const { stopReason } = await to.request(methods.agent.session.prompt, {
            sessionId,
            prompt: [{ type: 'text', text: prompt }]
        });
        say({ stopReason });
    });
agent.stdin.end();
agent.on('exit', code => process.exit(code ?? 1));

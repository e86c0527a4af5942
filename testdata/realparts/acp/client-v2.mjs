// A client on the experimental entry of the official TypeScript SDK for version 2 of the Agent Client Protocol:
//
//   node client-v2.mjs ANSWER PROMPT COMMAND [ARGUMENT…]
//
// It starts the agent, sends one prompt, and prints a line of JSON for each question and each message. It ends when the
// agent is idle. ANSWER is the optionId that it selects, or custom: then it answers with an outcome of its own, or
// cancel: then it cancels the turn when it is asked.
import { spawn } from 'node:child_process';
import { Readable, Writable } from 'node:stream';
import { client, methods, ndJsonStream, PROTOCOL_VERSION } from '@agentclientprotocol/sdk/experimental/v2';

const [answer, prompt, command, ...args] = process.argv.slice(2);
const say = what => console.log(JSON.stringify(what));
const agent = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
let isIdle;
const idle = new Promise(resolve => (isIdle = resolve));
let to;

async function permission({ params, signal }) {
    say({ asked: params.title, about: params.subject?.type, options: params.options.length });
    if (answer === 'cancel') {
        await to.notify(methods.agent.session.cancel, { sessionId: params.sessionId });
        if (!signal.aborted) await new Promise(resolve => signal.addEventListener('abort', resolve));
        say({ withdrawn: params.title });
        return { outcome: { outcome: 'cancelled' } };
    }
    if (answer === 'custom') return { outcome: { outcome: '_allowed', optionId: 'yes' } };
    return { outcome: { outcome: 'selected', optionId: answer } };
}

await client({ name: 'realparts' })
    .onRequest(methods.client.session.requestPermission, permission)
    .onRequest(methods.client.elicitation.create, ({ params }) => {
        say({ asked: params.message });
        return answer === 'yes' ? { action: 'accept', content: { day: 'Monday' } } : { action: 'decline' };
    })
    .onNotification(methods.client.session.update, ({ params }) => {
        const { sessionUpdate, content, state, stopReason } = params.update;
        if (sessionUpdate === 'agent_message_chunk') say({ said: JSON.parse(content.text) });
        if (sessionUpdate === 'state_update' && state === 'idle') {
            say({ stopReason });
            isIdle();
        }
    })
    .connectWith(ndJsonStream(Writable.toWeb(agent.stdin), Readable.toWeb(agent.stdout)), async connected => {
        to = connected;
        await to.request(methods.agent.initialize, {
            protocolVersion: PROTOCOL_VERSION,
            info: { name: 'realparts', version: '1' },
            capabilities: { elicitation: { form: {} } }
        });
        const { sessionId } = await to.request(methods.agent.session.new, { cwd: process.cwd(), mcpServers: [] });
        const content = [{ type: 'text', text: prompt }];
        await to.request(methods.agent.session.prompt, { sessionId, prompt: content });
        await idle;
    });
agent.stdin.end();
agent.on('exit', code => process.exit(code ?? 1));

// An agent on the experimental entry of the official TypeScript SDK for version 2 of the Agent Client Protocol. Each
// prompt is a list of steps, one a line:
//
//   run COMMAND         asks for permission for a command
//   permit KIND TITLE   asks for permission for a tool call
//   announce KIND TITLE describes a tool call in two updates, and asks for permission with its id alone
//   other               asks for permission without a subject
//   custom              asks for permission for a subject of a kind that no client knows
//   ask                 asks for a day in a form
//
// The agent answers the prompt at once, reports what each step gave as the text of a message, and then is idle.
import { Readable, Writable } from 'node:stream';
import { agent, methods, ndJsonStream, PROTOCOL_VERSION } from '@agentclientprotocol/sdk/experimental/v2';

const options = [
    { optionId: 'always', name: 'Always', kind: 'allow_always' },
    { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
    { optionId: 'no', name: 'Reject', kind: 'reject_once' },
    { optionId: 'hour', name: 'For an hour', kind: '_allow_hour' }
];
const sessionId = 's1';
let count = 0;
let cancelled = false;

const permit = (client, title, subject) =>
    client.request(methods.client.session.requestPermission, { sessionId, title, subject, options });
const update = (client, update) => client.notify(methods.client.session.update, { sessionId, update });

async function step(line, client) {
    const [what, ...words] = line.split(' ');
    const rest = words.join(' ');
    const toolCallId = `call-${++count}`;
    const command = { type: 'command', command: rest, cwd: '/w' };
    switch (what) {
        case 'run':
            return (await permit(client, rest, command)).outcome;
        case 'permit':
        case 'announce': {
            const [kind, title] = words;
            let toolCall = { toolCallId, kind, title };
            if (what === 'announce') {
                await update(client, { sessionUpdate: 'tool_call_update', toolCallId, kind, status: 'pending' });
                await update(client, { sessionUpdate: 'tool_call_update', toolCallId, title });
                toolCall = { toolCallId };
            }
            return (await permit(client, title, { type: 'tool_call', toolCall })).outcome;
        }
        case 'other':
            return (await permit(client, 'go on')).outcome;
        case 'custom':
            return (await permit(client, 'deploy', { type: '_deploy', to: 'prod' })).outcome;
        case 'ask':
            return client.request(methods.client.elicitation.create, {
                sessionId,
                mode: 'form',
                message: 'Which day?',
                requestedSchema: { type: 'object', properties: { day: { type: 'string' } }, required: ['day'] }
            });
    }
    throw new Error(`no step ${line}`);
}

async function work(text, client) {
    await update(client, { sessionUpdate: 'state_update', state: 'running' });
    for (const [i, line] of text.split('\n').entries()) {
        let said;
        try {
            said = JSON.stringify(await step(line, client));
        } catch (error) {
            said = JSON.stringify({ error: error.code ?? String(error) });
        }
        const content = { type: 'text', text: said };
        await update(client, { sessionUpdate: 'agent_message_chunk', messageId: `m${i}`, content });
    }
    const stopReason = cancelled ? 'cancelled' : 'end_turn';
    await update(client, { sessionUpdate: 'state_update', state: 'idle', stopReason });
}

agent({ name: 'realparts' })
    .onRequest(methods.agent.initialize, () => ({
        protocolVersion: PROTOCOL_VERSION,
        info: { name: 'realparts', version: '1' },
        capabilities: { session: {} }
    }))
    .onRequest(methods.agent.session.new, () => ({ sessionId }))
    .onRequest(methods.agent.session.prompt, ({ params, client }) => {
        setImmediate(() => work(params.prompt[0].text, client));
        return { messageId: 'm' };
    })
    .onNotification(methods.agent.session.cancel, () => {
        cancelled = true;
    })
    .connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));

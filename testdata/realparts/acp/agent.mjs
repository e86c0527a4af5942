// An agent on the official TypeScript SDK of the Agent Client Protocol. Each prompt is a list of steps, one a line:
//
//   permit KIND TITLE   asks for permission
//   announce KIND TITLE describes a tool call in an update, and asks for permission with its id alone
//   ask                 asks for a day in a form
//   withdraw KIND TITLE asks for permission, and withdraws the question after the client has it
//   read                reads a file of the client
//
// The agent reports what each step gave as the text of a message.
import { Readable, Writable } from 'node:stream';
import { agent, methods, ndJsonStream, PROTOCOL_VERSION } from '@agentclientprotocol/sdk';

const options = [
    { optionId: 'always', name: 'Always', kind: 'allow_always' },
    { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
    { optionId: 'no', name: 'Reject', kind: 'reject_once' }
];
let calls = 0;

async function step(line, { params, client }) {
    const { sessionId } = params;
    const [what, kind, ...title] = line.split(' ');
    const permission = {
        sessionId,
        toolCall: {
            toolCallId: `call-${++calls}`,
            title: title.join(' '),
            kind,
            rawInput: { command: title.join(' ') }
        },
        options
    };
    switch (what) {
        case 'announce': {
            const update = { sessionUpdate: 'tool_call', status: 'pending', ...permission.toolCall };
            await client.notify(methods.client.session.update, { sessionId, update });
            permission.toolCall = { toolCallId: update.toolCallId };
            return (await client.request(methods.client.session.requestPermission, permission)).outcome;
        }
        case 'permit':
            return (await client.request(methods.client.session.requestPermission, permission)).outcome;
        case 'withdraw': {
            const stop = new AbortController();
            const answer = client.request(methods.client.session.requestPermission, permission, {
                cancellationSignal: stop.signal
            });
            // The client answers this request once it has been asked for the permission.
            await client.request(methods.client.fs.readTextFile, { sessionId, path: '/asked' });
            stop.abort();
            return (await answer).outcome;
        }
        case 'ask':
            return client.request(methods.client.elicitation.create, {
                sessionId,
                mode: 'form',
                message: 'Which day?',
                requestedSchema: { type: 'object', properties: { day: { type: 'string' } }, required: ['day'] }
            });
        case 'read':
            return client.request(methods.client.fs.readTextFile, { sessionId, path: '/a' });
    }
    throw new Error(`no step ${line}`);
}

agent({ name: 'realparts' })
    .onRequest(methods.agent.initialize, () => ({ protocolVersion: PROTOCOL_VERSION, agentCapabilities: {} }))
    .onRequest(methods.agent.session.new, () => ({ sessionId: 's1' }))
    .onRequest(methods.agent.session.prompt, async context => {
        for (const line of context.params.prompt[0].text.split('\n')) {
            let text;
            try {
                text = JSON.stringify(await step(line, context));
            } catch (error) {
                text = JSON.stringify({ error: error.code ?? String(error) });
            }
            await context.client.notify(methods.client.session.update, {
                sessionId: context.params.sessionId,
                update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } }
            });
        }
        return { stopReason: 'end_turn' };
    })
    .onNotification(methods.agent.session.cancel, () => {})
    .connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));

// The plugin of `elicit hook opencode`. It gives to the hook what opencode asks, and posts the answer. opencode shows
// its own dialog all the while; the first answer counts, and the other place withdraws.
import { spawn } from 'node:child_process';

const command = COMMAND;
const events = EVENTS;
const asking = new Map();

// ask starts the hook. It gives no answer if there is none, and opencode's dialog stays. A permission for which the
// hook cannot say anything is rejected.
function ask(id, input) {
    return new Promise(resolve => {
        const hook = spawn(command, { shell: true, cwd: input.cwd, stdio: ['pipe', 'pipe', 'ignore'] });
        let text = '';
        asking.set(id, hook);
        hook.stdout.setEncoding('utf8').on('data', part => (text += part));
        hook.stdin.on('error', () => {});
        hook.on('error', () => resolve({}));
        hook.on('close', code => {
            asking.delete(id);
            try {
                resolve(JSON.parse(text));
            } catch {
                resolve(code && input.permission ? { reply: 'reject', message: 'Elicit could not decide.' } : {});
            }
        });
        hook.stdin.end(JSON.stringify(input));
    });
}

export const Elicit = async ({ client, directory }) => {
    const answer = async (type, properties) => {
        const body = await ask(properties.id, { ...properties, hook_event_name: type, cwd: directory });
        if (Object.keys(body).length === 0) return;
        const url = `/${type.split('.')[0]}/${properties.id}/${body.reject ? 'reject' : 'reply'}`;
        const headers = { 'Content-Type': 'application/json' };
        await client._client.post(body.reject ? { url } : { url, body, headers }).catch(() => {});
    };
    return {
        event: async ({ event: { type, properties } }) => {
            if (events.includes(type)) void answer(type, properties); // opencode waits for this function
            if (/^(question|permission)\.(replied|rejected)$/.test(type)) asking.get(properties.requestID)?.kill();
        }
    };
};

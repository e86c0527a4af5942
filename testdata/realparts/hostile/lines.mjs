// A client that somebody wrote by hand in an afternoon: node:readline, trim, JSON.parse; see play.mjs.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { args, asked, command, date, play } from './play.mjs';

await play(async () => {
    const server = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    const waiting = {};
    let last = 0;
    const send = message => server.stdin.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\n');
    const request = (method, params) =>
        new Promise((yes, no) => {
            waiting[++last] = { yes, no };
            send({ id: last, method, params });
        });
    createInterface({ input: server.stdout }).on('line', line => {
        let message;
        try {
            message = JSON.parse(line.trim());
        } catch {
            return;
        }
        for (const m of [message].flat()) {
            if (m.method === 'elicitation/create') send({ id: m.id, result: asked(m.params) });
            else if (m.error) waiting[m.id]?.no(m.error);
            else if (m.result) waiting[m.id]?.yes(m.result);
        }
    });
    await request('initialize', {
        protocolVersion: date,
        capabilities: { elicitation: { form: {}, url: {} } },
        clientInfo: { name: 'lines', version: '1' }
    });
    send({ method: 'notifications/initialized' });
    return name => request('tools/call', { name, arguments: {} });
});

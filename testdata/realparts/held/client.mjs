// A client on the official TypeScript SDK 2.x, which answers rounds by itself: node client.mjs N JSON COMMAND ARGS…
// It lists the tools, calls "delete" N times at once with the arguments JSON, and prints one line for each call.
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const [count, args, command, ...rest] = process.argv.slice(2);
const client = new Client({ name: 'held', version: '1.0.0' }, {
    capabilities: { roots: {}, sampling: {} }, versionNegotiation: { mode: { pin: '2026-07-28' } }
});
client.setRequestHandler('roots/list', () => ({ roots: [{ uri: 'file:///tmp' }] }));
client.setRequestHandler('sampling/createMessage', () => ({
    role: 'assistant', content: { type: 'text', text: 'Hello' }, model: 'm'
}));
await client.connect(new StdioClientTransport({ command, args: rest, env: process.env, stderr: 'inherit' }));
await client.listTools();
const calls = Array.from({ length: Number(count) }, (_, n) =>
    client.callTool({ name: 'delete', arguments: { ...JSON.parse(args), ...(Number(count) > 1 && { n }) } })
        .then(r => r.content[0].text, error => `error ${error.message}`));
for (const text of await Promise.all(calls)) {
    console.log(text);
}
await client.close();

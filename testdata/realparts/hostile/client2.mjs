// The official TypeScript SDK 2.x before a hostile server; see play.mjs.
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { args, asked, command, date, play } from './play.mjs';

await play(async () => {
    const client = new Client(
        { name: 'hostile2', version: '1' },
        {
            capabilities: { elicitation: { form: {}, url: {} } },
            versionNegotiation: { mode: date === '2026-07-28' ? { pin: date } : 'legacy' }
        }
    );
    client.onerror = () => {};
    client.setRequestHandler('elicitation/create', request => asked(request.params));
    await client.connect(new StdioClientTransport({ command, args, env: process.env }));
    return name => client.callTool({ name, arguments: {} });
});

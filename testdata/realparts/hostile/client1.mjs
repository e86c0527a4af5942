// The official TypeScript SDK 1.x before a hostile server; see play.mjs.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { args, asked, command, play } from './play.mjs';

await play(async () => {
    const client = new Client({ name: 'hostile1', version: '1' },
      { capabilities: { elicitation: { form: {}, url: {} } } });
    client.onerror = () => {};
    client.setRequestHandler(ElicitRequestSchema, request => asked(request.params));
    await client.connect(new StdioClientTransport({ command, args, env: process.env }));
    return name => client.callTool({ name, arguments: {} });
});

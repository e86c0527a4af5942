// A player on the official TypeScript SDK 1.x, which speaks 2025-11-25 at most. See player.mjs.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { play } from './player.mjs';

await play(async (_date, capabilities, person, server) => {
    const client = new Client({ name: 'player1', version: '1.0.0' }, { capabilities });
    if (person) client.setRequestHandler(ElicitRequestSchema, person);
    const transport = new StdioClientTransport(server);
    let version;
    transport.setProtocolVersion = v => (version = v);
    await client.connect(transport);
    return [client, version];
});

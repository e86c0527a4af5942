// A player on the official TypeScript SDK 2.x. See player.mjs.
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { play } from './player.mjs';

await play(async (date, capabilities, person, server) => {
    const mode = date < '2026-07-28' ? 'legacy' : { pin: date };
    const client = new Client({ name: 'player2', version: '1.0.0' }, { capabilities, versionNegotiation: { mode } });
    if (person) client.setRequestHandler('elicitation/create', person);
    await client.connect(new StdioClientTransport(server));
    return [client, client.getNegotiatedProtocolVersion()];
});

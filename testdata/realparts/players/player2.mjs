// A player on the official TypeScript SDK 2.x. See player.mjs.
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { args, capabilities, command, date, elicit, person, play } from './player.mjs';

const mode = date < '2026-07-28' ? 'legacy' : { pin: date };
const client = new Client({ name: 'player2', version: '1.0.0' }, { capabilities, versionNegotiation: { mode } });
if (elicit !== 'none') client.setRequestHandler('elicitation/create', request => person(request.params));
await client.connect(new StdioClientTransport({ command, args, env: process.env }));
await play(client.getNegotiatedProtocolVersion(), params => client.callTool(params), () => client.listTools());

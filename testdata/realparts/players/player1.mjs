// A player on the official TypeScript SDK 1.x, which speaks 2025-11-25 at most. See player.mjs.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { args, capabilities, command, elicit, person, play } from './player.mjs';

const client = new Client({ name: 'player1', version: '1.0.0' }, { capabilities });
if (elicit !== 'none') client.setRequestHandler(ElicitRequestSchema, request => person(request.params));
const transport = new StdioClientTransport({ command, args, env: process.env });
let version;
transport.setProtocolVersion = v => (version = v);
await client.connect(transport);
await play(version, params => client.callTool(params), () => client.listTools());

// A server on the official TypeScript SDK 1.x whose forms are zod schemas, over stdio. It sends what zod makes of them.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { UrlElicitationRequiredError } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';

const profile = z.object({
    name: z.string().min(1).max(40).meta({ title: 'Name' }),
    email: z.email(),
    role: z.enum(['dev', 'ops']).default('dev'),
    langs: z.array(z.enum(['go', 'ts', 'py'])).default(['go']),
    age: z.int().min(0).max(150),
    nick: z.string().nullable().default(null),
    remote: z.boolean().default(false)
});

const server = new McpServer({ name: 'zod1-forms', version: '1.0.0' });
const told = out => ({ content: [{ type: 'text', text: JSON.stringify(out) }] });
const seen = new Set();

server.registerTool('ask', { inputSchema: { message: z.string() } }, async ({ message }) => {
    try {
        return told(await server.server.elicitInput({ message,
          requestedSchema: z.toJSONSchema(profile, { io: 'input' }) }));
    } catch (e) {
        return told({ error: { code: e.code, message: e.message, data: e.data } });
    }
});

server.registerTool('visit', { inputSchema: { id: z.string() } }, async ({ id }) => {
    const result = await server.server.elicitInput({ mode: 'url', message: 'Sign in at the bank.',
      url: 'https://bank.example.com/sign-in', elicitationId: id });
    if (result.action === 'accept') await server.server.createElicitationCompletionNotifier(id)();
    return told(result);
});

server.registerTool('required', { inputSchema: { id: z.string() } }, async ({ id }) => {
    if (seen.has(id)) return told({ read: id });
    seen.add(id);
    throw new UrlElicitationRequiredError([{ mode: 'url', message: 'Allow reading.',
      url: 'https://bank.example.com/allow', elicitationId: id }]);
});

await server.connect(new StdioServerTransport());

// Makes a tool call that asks for a form, with the official TypeScript SDK 1.x over its in-memory transport. Each call
// has a new schema object, as with a server that builds its schema. It reads lines of JSON and prints nanoseconds.
// tssdk.go runs it.
import { createInterface } from 'node:readline';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { CfWorkerJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/cfworker';

async function connect({ schema, answer, question }) {
    const jsonSchemaValidator = new CfWorkerJsonSchemaValidator();
    const server = new McpServer({ name: 'bench', version: '1' }, { jsonSchemaValidator });
    server.registerTool('ask', {}, async () => {
        const result = await server.server.elicitInput({ message: question, requestedSchema: JSON.parse(schema) });
        return { content: [{ type: 'text', text: result.action }] };
    });
    const capabilities = { elicitation: { form: {} } };
    const client = new Client({ name: 'bench', version: '1' }, { capabilities, jsonSchemaValidator });
    client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: JSON.parse(answer) }));
    const [near, far] = InMemoryTransport.createLinkedPair();
    await Promise.all([server.connect(near), client.connect(far)]);
    return client;
}

let client;
for await (const line of createInterface({ input: process.stdin })) {
    const told = JSON.parse(line);
    const start = process.hrtime.bigint();
    if (told.schema) {
        client = await connect(told);
    }
    for (let i = 0; i < (told.times ?? 0); i++) {
        const result = await client.callTool({ name: 'ask' });
        if (result.isError || result.content[0].text !== 'accept') {
            throw new Error('the TypeScript SDK refuses the answer: ' + JSON.stringify(result));
        }
    }
    console.log(String(process.hrtime.bigint() - start));
}

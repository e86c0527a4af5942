// A server of 2026-07-28 without an SDK: node server.mjs LOG. Before its tool "delete" answers, it asks in the way that
// the argument "by" names: roots, sampling, form, url, twice (two rounds), or nothing. LOG gets one line of JSON for
// each tools/call, with what the server has got, and one with "done" for each deletion.
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const ROOTS = { method: 'roots/list' };
const asks = {
    roots: ROOTS,
    twice: ROOTS,
    sampling: {
        method: 'sampling/createMessage',
        params: { messages: [{ role: 'user', content: { type: 'text', text: 'Hi' } }], maxTokens: 10 }
    },
    form: {
        method: 'elicitation/create',
        params: { mode: 'form', message: 'Really?', requestedSchema: { type: 'object', properties: {} } }
    },
    url: {
        method: 'elicitation/create',
        params: { mode: 'url', message: 'Log in.', url: 'https://login.example/' }
    }
};
const log = what => appendFileSync(process.argv[2], JSON.stringify(what) + '\n');
const say = (id, result) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\n');

const methods = {
    'server/discover': id => say(id, {
        resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: { tools: {} }, ttlMs: 0,
        cacheScope: 'public', _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'held', version: '1.0.0' } }
    }),
    'tools/list': id => say(id, {
        resultType: 'complete', ttlMs: 0, cacheScope: 'public',
        tools: [{ name: 'delete', description: 'Deletes a directory.', annotations: { destructiveHint: true },
                  inputSchema: { type: 'object', properties: { path: { type: 'string' }, by: { type: 'string' } } } }]
    }),
    'tools/call': (id, { arguments: args, inputResponses, requestState, task }) => {
        log({ call: args, state: requestState, answered: Object.keys(inputResponses ?? {}), task });
        const round = Number(requestState ?? 0);
        if (asks[args.by] && round < (args.by === 'twice' ? 2 : 1)) {
            const inputRequests = { k: asks[args.by] };
            say(id, { resultType: 'input_required', inputRequests, requestState: `${round + 1}` });
            return;
        }
        log({ done: args });
        say(id, { resultType: 'complete', content: [{ type: 'text', text: `deleted ${args.path}` }] });
    }
};
for await (const line of createInterface({ input: process.stdin })) {
    const { id, method, params } = JSON.parse(line);
    if (methods[method]) {
        methods[method](id, params);
    } else if (id !== undefined) {
        const error = { code: -32601, message: 'Method not found' };
        process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, error }) + '\n');
    }
}

// A server on the official TypeScript SDK 2.x whose forms are zod schemas, over stdio.
//
// Its tools are written once, in rounds: a 2026-07-28 client gets input_required results, for older clients the SDK
// asks by elicitation/create and calls the handler again. `ask` and `careless` ask directly, which
// only older sessions allow.
import { randomBytes } from 'node:crypto';
import { acceptedContent, createRequestStateCodec, inputRequired, inputResponse,
  McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

const schemas = {
    person: z.object({
        name: z.string().min(2).max(20).describe('As in the passport'),
        email: z.email(),
        homepage: z.url().optional(),
        born: z.iso.date(),
        seen: z.iso.datetime().optional()
    }),
    order: z.object({
        count: z.int().min(1).max(10),
        weight: z.number().min(0.5).max(2.5),
        code: z.string().length(4),
        express: z.boolean().default(false),
        note: z.string().default('')
    }),
    choices: z.object({
        colour: z.enum(['red', 'green']),
        size: z.enum(['s', 'l']).default('l'),
        tags: z.array(z.enum(['a', 'b', 'c'])).min(1).max(2),
        meta: z.string().meta({ title: 'With a title', description: 'And a description' }).optional()
    }),
    nothing: z.object({}),
    // What the SDK's converter or the protocol's grammar has no word for.
    nested: z.object({ inner: z.object({ x: z.number() }) }),
    nullable: z.object({ nick: z.string().nullable(), age: z.int().min(0).nullable() }),
    pattern: z.object({ code: z.string().regex(/^[A-Z]{2}-\d{3}$/i), id: z.uuid(),
      slug: z.string().regex(/^[a-z-]+$/) }),
    exclusive: z.object({ part: z.number().gt(0).lt(1), step: z.int().positive().multipleOf(5) }),
    literal: z.object({ only: z.literal('this'), some: z.literal(['a', 'b']) }),
    union: z.object({ value: z.union([z.string(), z.number()]) }),
    record: z.object({ labels: z.record(z.string(), z.string()) }),
    strict: z.strictObject({ name: z.string() }),
    hosts: z.object({ address: z.ipv4(), host: z.hostname() })
};

const told = out => ({ content: [{ type: 'text', text: JSON.stringify(out) }] });
const failed = e => told(e?.code ? { error: { code: e.code, message: e.message,
  data: e.data } } : { unsent: String(e?.message ?? e) });

const question = z.object({ type: z.string(), message: z.string() });
const state = createRequestStateCodec({ key: randomBytes(32) });

function build() {
    const server = new McpServer({ name: 'zod-forms', version: '1.0.0' },
      { capabilities: { tools: {} }, requestState: { verify: state.verify } });
    const tool = (name, inputSchema, handler) => server.registerTool(name, { inputSchema }, handler);

    const ask = async (ctx, message, requestedSchema) => {
        try {
            return told(await ctx.mcpReq.elicitInput({ mode: 'form', message, requestedSchema }));
        } catch (e) {
            return failed(e);
        }
    };
    // What zod itself makes of the schema, past the SDK's own converter.
    tool('ask', question, ({ type, message }, ctx) => ask(ctx, message,
      z.toJSONSchema(schemas[type], { io: 'input' })));
    // The mistake of handing over the zod schema itself: this call does not convert it as inputRequired.elicit does.
    tool('careless', question, ({ type, message }, ctx) => ask(ctx, message, schemas[type]));

    tool('round', question, async ({ type, message }, ctx) => {
        const answer = inputResponse(ctx.mcpReq.inputResponses, 'it');
        if (answer.kind === 'missing') {
            try {
                return inputRequired({ inputRequests: { it: inputRequired.elicit({ message,
                  requestedSchema: schemas[type] }) } });
            } catch (e) {
                return failed(e);
            }
        }
        return told({ action: answer.action, content: acceptedContent(ctx.mcpReq.inputResponses, 'it',
          schemas[type]) });
    });

    const where = z.object({ city: z.enum(['Rome', 'Oslo']) });
    const nights = z.object({ nights: z.int().min(1).max(14).default(1) });
    tool('book', z.object({ guest: z.string() }), async ({ guest }, ctx) => {
        const first = inputResponse(ctx.mcpReq.inputResponses, 'where');
        const second = inputResponse(ctx.mcpReq.inputResponses, 'nights');
        const known = ctx.mcpReq.requestState();
        if (first.kind === 'elicit' && first.action !== 'accept') return told({ guest, where: first.action });
        const city = known?.city ?? acceptedContent(ctx.mcpReq.inputResponses, 'where', where)?.city;
        if (city === undefined) {
            return inputRequired({ inputRequests: { where: inputRequired.elicit({ message: `Where shall ${guest} stay?`,
              requestedSchema: where }) } });
        }
        if (second.kind === 'missing') {
            return inputRequired({
                inputRequests: { nights: inputRequired.elicit({ message: `How long in ${city}?`,
                  requestedSchema: nights }) },
                requestState: await state.mint({ city })
            });
        }
        return told({ guest, city, stay: second.action,
          ...acceptedContent(ctx.mcpReq.inputResponses, 'nights', nights) });
    });

    tool('visit', z.object({}), async (_, ctx) => {
        const answer = inputResponse(ctx.mcpReq.inputResponses, 'page');
        if (answer.kind === 'missing') {
            return inputRequired({ inputRequests: { page: inputRequired.elicitUrl({ message: 'Sign in at the bank.',
              url: 'https://bank.example.com/sign-in' }) } });
        }
        return told({ action: answer.action });
    });
    return server;
}

serveStdio(build);

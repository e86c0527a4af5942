// Runs the engine and JavaScript validators in one Node process. It reads lines of JSON and prints nanoseconds. A line
// says what to do and how many times. wasm.go runs it.
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { Validator } from '@cfworker/json-schema';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { z } from 'zod';
import { Engine, Guest } from '../bindings/js/dist/index.js';

const decoder = new TextDecoder();

// The fixture's form as a zod schema. The other validators read its JSON.
const ticket = z.object({
    ticket: z.string().min(5).max(12).regex(/^[A-Z]{2,5}-[0-9]{1,6}$/),
    summary: z.string().min(10).max(500),
    email: z.email(),
    due: z.iso.date().optional(),
    count: z.int().min(1).max(500).optional(),
    hours: z.number().min(0).max(1000.5).optional(),
    urgent: z.boolean().optional(),
    severity: z.enum(['low', 'medium', 'high', 'critical']),
    teams: z.array(z.enum(['network', 'storage', 'database', 'frontend', 'security'])).min(1).max(3).optional()
});

async function open({ config, schema, right, wrong, inputs, guests, question }) {
    const engine = await Engine.open(config);
    const form = engine.form(schema);
    const ajv = new Ajv2020({ strict: false });
    formats.default(ajv);
    const valid = ajv.compile(JSON.parse(schema));
    const cf = new Validator(JSON.parse(schema), '2020-12');
    const judges = {
        elicit: form.check.bind(form),
        ajv: bytes => valid(JSON.parse(decoder.decode(bytes))),
        zod: bytes => ticket.safeParse(JSON.parse(decoder.decode(bytes))).success,
        cfworker: bytes => cf.validate(JSON.parse(decoder.decode(bytes))).valid
    };
    const bytes = new TextEncoder().encode(right);
    const input = name => name === 'elicit' ? right : bytes;
    const checks = Object.fromEntries(Object.entries(judges).map(([name, judge]) => [name, () => judge(input(name))]));
    const refused = new TextEncoder().encode(wrong);
    for (const [name, judge] of Object.entries(judges)) {
        const fits = name === 'elicit'
            ? judge(right).length === 0 && judge(wrong).length > 0
            : judge(bytes) && !judge(refused);
        if (!fits) throw new Error(`${name} gives the wrong verdict`);
    }
    const [opened, asked, answered] = inputs;
    engine.stepText(opened);
    let n = 0;
    const step = () => {
        const at = (n += 20);
        const shown = engine.stepText(asked.replace('"at":0', `"at":${at}`));
        const id = /"id":"([0-9a-f]{32})"/.exec(shown)[1];
        const reply = engine.stepText(answered.replace('"at":0', `"at":${at}`).replace('$1', id));
        if (!reply.includes('"effect":"reply"')) throw new Error(reply);
    };
    const heard = {};
    for (const [name, path] of Object.entries(guests)) {
        const guest = await Guest.load(await readFile(path));
        const first = guest.evaluate(question);
        if ((first.fault === 'fuel') !== (name === 'endless')) throw new Error(first.fault);
        heard[name] = () => {
            if (guest.evaluate(question).fuel !== first.fuel) throw new Error('another verdict');
        };
    }
    return { ...checks, ...heard, step };
}

let lines;
for await (const line of createInterface({ input: process.stdin })) {
    const told = JSON.parse(line);
    if (told.schema) {
        lines = await open(told);
        console.log('0');
        continue;
    }
    const work = lines[told.line];
    const start = process.hrtime.bigint();
    for (let i = 0; i < told.times; i++) work();
    console.log(String(process.hrtime.bigint() - start));
}

// Asks questions of the component and of the raw module in one Node process. It reads lines of JSON and prints
// nanoseconds. wazero.go runs it.
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { Engine } from '../bindings/js/dist/index.js';
import { openComponent } from '../wasm/component/open.mjs';

const bytes = await readFile('../dist/elicit.component.wasm');

async function open({ config, inputs: [opened, asked, answered] }) {
    const { api, start } = await openComponent(bytes);
    const ask = step => {
        let n = 0;
        step(opened);
        return () => {
            const at = (n += 20);
            const shown = step(asked.replace('"at":0', `"at":${at}`));
            const id = /"id":"([0-9a-f]{32})"/.exec(shown)[1];
            const reply = step(answered.replace('"at":0', `"at":${at}`).replace('$1', id));
            if (!reply.includes('"effect":"reply"')) throw new Error(reply);
        };
    };
    const engine = await Engine.open(JSON.parse(config));
    const dressed = api.Engine.open(config, 0n).engine;
    const core = await readFile('../dist/elicit.wasm');
    return {
        raw: ask(input => engine.stepText(input)),
        component: ask(input => dressed.step(input, 0n)),
        start: async () => (await start()).Engine.open(config, 0n),
        rawStart: async () => Engine.open(JSON.parse(config), { module: await WebAssembly.compile(core) })
    };
}

let lines;
for await (const line of createInterface({ input: process.stdin })) {
    const told = JSON.parse(line);
    if (told.inputs) {
        lines = await open(told);
        console.log('0');
        continue;
    }
    const work = lines[told.line];
    const start = process.hrtime.bigint();
    for (let i = 0; i < told.times; i++) await work();
    console.log(String(process.hrtime.bigint() - start));
}

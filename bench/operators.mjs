// Runs metered guests in V8, each until its budget is used up. It reads lines of JSON and prints the milliseconds of
// the fastest run. operators.go runs it.
import { createInterface } from 'node:readline';
import { wasi } from '../plugins/tck/hosts/wasi.mjs';

const data = new Uint8Array(4 << 20);

for await (const line of createInterface({ input: process.stdin })) {
    const module = new WebAssembly.Module(Buffer.from(JSON.parse(line).module, 'base64'));
    let fastest = Infinity;
    let instance;
    const data_size = () => data.length;
    const data_read = (offset, to, size) => {
        const window = data.subarray(offset, offset + size);
        new Uint8Array(instance.exports.memory.buffer).set(window, to);
        return window.length;
    };
    for (let i = 0; i < 4; i++) {
        const start = performance.now();
        instance = new WebAssembly.Instance(module, { elicit_guardian_v1: { log() {}, data_size, data_read },
          wasi_snapshot_preview1: wasi(() => instance?.exports.memory) });
        const { elicit_meter_fuel: fuel, elicit_meter_reason: reason, elicit_evaluate: evaluate } = instance.exports;
        fuel.value = 5_000_000n;
        try {
            evaluate(4096, 2);
        } catch (e) {
            if (reason.value !== 1) throw e;
        }
        fastest = Math.min(fastest, performance.now() - start);
    }
    console.log(String(fastest));
}

// What the clients of the hostile lines have in common. The command line is: DATE NAMES SERVER ARGUMENT…
//
// NAMES is a file with the name of a tool on each line. A client calls one after the other, and `alive` after each. It
// prints what it notices as JSON lines: {"ready":true} when it is connected, {"asked":MESSAGE} when its handler runs,
// {"done":NAME,"outcome":TEXT} and {"alive":NAME}. The environment variable PATIENCE is the longest wait for an answer,
// in milliseconds. A client whose call of `alive` has no answer in that time ends with code 9, and an interrupt ends
// it. A client that starts slowly prints {"broke":NAME} instead, opens a new session, and continues with the next name.
import { readFileSync } from 'node:fs';

const [date, names, command, ...args] = process.argv.slice(2);
export { date, command, args };

const PATIENCE = Number(process.env.PATIENCE);

function say(event) {
    return new Promise(done => process.stdout.write(JSON.stringify(event) + '\n', done));
}

export function asked(params) {
    say({ asked: params.message });
    return { action: 'accept', content: {} };
}

const late = () => new Promise((_, no) => setTimeout(no, PATIENCE, new Error('no answer')));

// play makes the calls; `connect` gives the function that makes one.
export async function play(connect) {
    let call;
    try {
        call = await connect();
    } catch (e) {
        await say({ connect: String(e) });
        process.exit(3);
    }
    await say({ ready: true });
    for (const name of readFileSync(names, 'utf8').split('\n').filter(Boolean)) {
        let outcome;
        try {
            outcome = JSON.stringify(await Promise.race([call(name), late()]));
        } catch (e) {
            outcome = `${e?.code} ${e?.message} ${JSON.stringify(e?.data)}`;
        }
        await say({ done: name, outcome });
        try {
            await Promise.race([call('alive'), late()]);
        } catch {
            process.exit(9);
        }
        await say({ alive: name });
    }
    process.exit(0);
}

// What the two players in JavaScript share. A player is a client whose person and model are at its standard input:
//
//   node player1.mjs DATE none|form|both -- COMMAND ARGS…
//
// It prints a line {"ready":VERSION}, and takes lines {"id","call","arguments"} and {"id","list":true}. It answers with
// {"id","text","failed"}, {"id","tools"} or {"id","error"}. For a question of the server it prints
// {"asked":N,"params"}, and takes {"answer":N,"result"}.
import { createInterface } from 'node:readline';

const [date, elicit, , command, ...args] = process.argv.slice(2);
const say = line => process.stdout.write(`${JSON.stringify(line)}\n`);
const answers = [];

export { args, command, date, elicit };

export const capabilities =
    elicit === 'none' ? {} : { elicitation: elicit === 'form' ? { form: {} } : { form: {}, url: {} } };

// person puts a question to the standard input.
export function person(params) {
    return new Promise(answer => say({ asked: answers.push(answer), params }));
}

// play does what the lines of the standard input say.
export async function play(version, call, list) {
    say({ ready: version });
    for await (const line of createInterface({ input: process.stdin })) {
        const doing = JSON.parse(line);
        if (doing.answer) answers[doing.answer - 1](doing.result);
        else perform(doing, call, list).then(done => say({ id: doing.id, ...done }), error => {
            say({ id: doing.id, error: String(error?.message ?? error) });
        });
    }
    process.exit(0);
}

async function perform(doing, call, list) {
    if (doing.list) return { tools: (await list()).tools.map(tool => tool.name) };
    const result = await call({ name: doing.call, arguments: doing.arguments ?? {} });
    return { text: result.content[0].text, failed: result.isError === true };
}

// The two players in JavaScript share this. A player plays clients one after the other, whose person and model are at
// its standard input:
//
//   node player1.mjs
//
// It takes a line {"open":{"date","declared","command"}}, declared "none", "form" or "both", and prints
// {"ready":VERSION}. It then takes lines {"id","call","arguments"} and {"id","list":true}, and answers with
// {"id","text","failed"}, {"id","tools"} or {"id","error"}. For a question of the server it prints
// {"asked":N,"params"}, and takes {"answer":N,"result"}. After {"close":true} it prints {"closed":true}, and takes the
// next client.
import { createInterface } from 'node:readline';

const say = line => process.stdout.write(`${JSON.stringify(line)}\n`);
const answers = [];

const capabilities = {
    none: {},
    form: { elicitation: { form: {} } },
    both: { elicitation: { form: {}, url: {} } },
};

// person puts a question to the standard input.
function person(params) {
    return new Promise(answer => say({ asked: answers.push(answer), params }));
}

// play does what the lines of the standard input say. connect(date, capabilities, person, server) gives a client and
// its version; there is no person for a client that declares nothing.
export async function play(connect) {
    let client;
    for await (const line of createInterface({ input: process.stdin })) {
        const doing = JSON.parse(line);
        if (doing.open) {
            const { date, declared, command: [command, ...args] } = doing.open;
            const server = { command, args, env: process.env };
            const asks = declared === 'none' ? undefined : request => person(request.params);
            const [connected, version] = await connect(date, capabilities[declared], asks, server);
            client = connected;
            say({ ready: version });
        } else if (doing.close) {
            await client.close();
            say({ closed: true });
        } else if (doing.answer) answers[doing.answer - 1](doing.result);
        else perform(client, doing).then(done => say({ id: doing.id, ...done }), error => {
            say({ id: doing.id, error: String(error?.message ?? error) });
        });
    }
    process.exit(0);
}

async function perform(client, doing) {
    if (doing.list) return { tools: (await client.listTools()).tools.map(tool => tool.name) };
    const result = await client.callTool({ name: doing.call, arguments: doing.arguments ?? {} });
    return { text: result.content[0].text, failed: result.isError === true };
}

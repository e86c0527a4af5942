// The two client drivers share this: the command line, the answers, the report.
//
//   node client1.mjs [flags] -- COMMAND ARGS…
//   node client1.mjs --sessions
//
//   --elicit none|empty|form|url|both  what the client declares (default none)
//   --answers FILE   how it answers, in the proxy's own answers format; the
//                    answer "never" leaves the question open, and with
//                    `after_progress` N the answer comes after the N-th
//                    progress notification
//   --tool NAME      the tool to call; without it the tools are listed
//   --args JSON      its arguments
//   --calls N        call it N times, one after the other
//   --together N     call it N times at once
//   --timeout MS     when the client gives up the first call (default 30000);
//                    each later call and the start have 30000
//   --progress       ask for progress, each sign of which starts that time anew
//
// Prints one line of JSON: {version, server, tools} or {version, server,
// outcomes, asked, completed, complaints}. `asked` is what reached this client.
//
// With --sessions, each line of its input is {id, argv}: one session more, with
// the words after "node client1.mjs". They run side by side, because the start
// of Node and of the SDK takes longer than a session. The line of a session
// then has `id` and `stderr`, the words of its server, too.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';

const PATIENCE = 30_000; // ms

export function commandLine(args, extra = {}) {
    const { values, positionals } = parseArgs({
        args,
        allowPositionals: true,
        options: {
            elicit: { type: 'string', default: 'none' },
            answers: { type: 'string' },
            tool: { type: 'string' },
            args: { type: 'string', default: '{}' },
            calls: { type: 'string', default: '1' },
            together: { type: 'string', default: '1' },
            timeout: { type: 'string', default: String(PATIENCE) },
            progress: { type: 'boolean', default: false },
            ...extra
        }
    });
    if (positionals.length === 0) {
        throw new Error('which server? put its command after --');
    }
    return {
        ...values,
        args: JSON.parse(values.args),
        calls: Number(values.calls),
        together: Number(values.together),
        timeout: Number(values.timeout),
        command: positionals[0],
        commandArgs: positionals.slice(1)
    };
}

export function capabilities(elicit) {
    const declared = { empty: {}, form: { form: {} }, url: { url: {} }, both: { form: {}, url: {} } };
    if (elicit === 'none') return {};
    if (!(elicit in declared)) throw new Error(`--elicit ${elicit}?`);
    return { elicitation: declared[elicit] };
}

// answerer plays the person: the first unused rule that matches answers; when
// all that match are used, the last of them answers again; with none, cancel.
// `progressed` gives a promise of the n-th progress notification.
export function answerer(file, progressed) {
    const rules = file ? JSON.parse(readFileSync(file, 'utf8')) : [];
    const used = new Set();
    return (params, tool) => {
        const matching = rules.filter(({ when = {} }) => matches(when.message, params.message) &&
            matches(when.mode, params.mode ?? 'form') && matches(when.tool, tool));
        const rule = matching.find(r => !used.has(r)) ?? matching.at(-1);
        if (!rule) return { action: 'cancel' };
        used.add(rule);
        if (rule.answer === 'never') return new Promise(() => {});
        return rule.after_progress ? progressed(rule.after_progress).then(() => rule.answer) : rule.answer;
    };
}

function matches(glob, text = '') {
    if (glob === undefined) return true;
    const pattern = glob.replace(/[.+^${}()|[\]\\]/g, '\\$&').replace(/\*/g, '.*').replace(/\?/g, '.');
    return new RegExp(`^${pattern}$`, 's').test(text);
}

// openReport collects what happens to this client; `person` is the handler for
// questions, `completed` the one for finished web pages, `wait` the options of a call with its timeout.
export function openReport(options) {
    const outcomes = [], asked = [], completed = [], complaints = [], progress = [], waiting = [];
    const onprogress = p => {
        progress.push(p.progress);
        for (const { n, done } of waiting) if (progress.length >= n) done();
    };
    const answer = answerer(options.answers, n => new Promise(done => waiting.push({ n, done })));
    return {
        report: { outcomes, asked, completed, complaints, progress },
        person: params => {
            const { mode, message, url, elicitationId, requestedSchema } = params;
            asked.push({ mode, message, url, elicitationId, fields: Object.keys(requestedSchema?.properties ?? {}) });
            return answer(params, options.tool);
        },
        completed: id => completed.push(id),
        wait: i => ({
            timeout: i === 0 ? options.timeout : PATIENCE,
            ...(options.progress && { onprogress, resetTimeoutOnProgress: true })
        })
    };
}

// main runs `session`, a function of a command line that gives a report, once or for each line of the input.
export async function main(session) {
    const argv = process.argv.slice(2);
    if (argv[0] !== '--sessions') {
        const { stderr, ...report } = await session(argv);
        process.stderr.write(stderr);
        await print(report);
        process.exit(report.connect ? 3 : 0);
    }
    for await (const line of createInterface({ input: process.stdin })) {
        const { id, argv } = JSON.parse(line);
        session(argv).catch(e => ({ connect: wrong(e) })).then(report => print({ id, ...report }));
    }
}

// drive connects, makes the calls through `call` (with their numbers from 0), disconnects and gives the report. It has
// `connect` when there was no session at all.
export async function drive(options, report, client, transport, call, version = () => undefined) {
    let stderr = '';
    transport.stderr?.on('data', b => (stderr += b));
    client.onerror = e => report.complaints.push(String(e?.message ?? e));
    try {
        await client.connect(transport, { timeout: PATIENCE });
    } catch (e) {
        await client.close().catch(() => {});
        return { connect: wrong(e), complaints: report.complaints, stderr };
    }
    const who = { version: version(), server: client.getServerVersion()?.name };
    let tools;
    if (!options.tool) ({ tools } = await client.listTools());
    for (let i = 0; options.tool && i < options.calls; i++) {
        const batch = Array.from({ length: options.together }, () =>
            call({ name: options.tool, arguments: options.args }, i)
                .then(result => ({ result }), e => ({ error: wrong(e) })));
        report.outcomes.push(...(await Promise.all(batch)));
    }
    const said = structuredClone(options.tool ? { ...who, ...report } : { ...who, tools: tools.map(t => t.name) });
    await client.close();
    return { ...said, stderr };
}

function wrong(e) {
    return { code: e?.code, message: String(e?.message ?? e), data: e?.data };
}

// print waits until the line has left: process.exit would cut a long one short.
function print(line) {
    return new Promise(done => process.stdout.write(JSON.stringify(line) + '\n', done));
}

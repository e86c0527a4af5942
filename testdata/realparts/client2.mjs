// A client on the official TypeScript SDK 2.x. Beside the flags in driver.mjs:
//
//   --negotiate legacy|auto|DATE  initialize (default), server/discover first,
//                                 or exactly that date
//   --rounds on|off               whether the SDK answers input_required by
//                                 itself; off: the call returns it as it came
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { capabilities, commandLine, drive, main, openReport } from './driver.mjs';

await main(async argv => {
    const options = commandLine(argv, {
        negotiate: { type: 'string', default: 'legacy' },
        rounds: { type: 'string', default: 'on' }
    });
    const { report, person, completed, wait } = openReport(options);

    const { negotiate } = options;
    const rounds = options.rounds === 'on';
    const client = new Client(
        { name: 'client2', version: '1.0.0' },
        {
            capabilities: capabilities(options.elicit),
            versionNegotiation: { mode: ['legacy', 'auto'].includes(negotiate) ? negotiate : { pin: negotiate } },
            inputRequired: { autoFulfill: rounds }
        }
    );
    if (options.elicit !== 'none') {
        client.setRequestHandler('elicitation/create', request => person(request.params));
        client.setNotificationHandler('notifications/elicitation/complete', n => completed(n.params.elicitationId));
    }
    const { command, commandArgs: args } = options;
    const transport = new StdioClientTransport({ command, args, env: process.env, stderr: 'pipe' });

    const call = (params, i) => client.callTool(params, { ...wait(i), allowInputRequired: !rounds });
    return drive(options, report, client, transport, call, () => client.getNegotiatedProtocolVersion());
});

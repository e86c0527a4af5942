// A client on the official TypeScript SDK 2.x. Beside the flags in driver.mjs:
//
//   --negotiate legacy|auto|DATE  initialize (default), server/discover first,
//                                 or exactly that date
//   --rounds on|off               whether the SDK answers input_required by
//                                 itself; off: the call returns it as it came
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { capabilities, commandLine, drive, openReport } from './driver.mjs';

const options = commandLine({
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
        versionNegotiation: { mode: negotiate === 'legacy' || negotiate === 'auto' ? negotiate : { pin: negotiate } },
        inputRequired: { autoFulfill: rounds }
    }
);
if (options.elicit !== 'none') {
    client.setRequestHandler('elicitation/create', request => person(request.params));
    client.setNotificationHandler('notifications/elicitation/complete', n => completed(n.params.elicitationId));
}
const transport = new StdioClientTransport({ command: options.command, args: options.commandArgs, env: process.env });

const call = (params, i) => client.callTool(params, { ...wait(i), allowInputRequired: !rounds });
process.exit(await drive(options, report, client, transport, call, () => client.getNegotiatedProtocolVersion()));

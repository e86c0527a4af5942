// A client on the official TypeScript SDK 1.x: initialize, 2025-11-25 at most.
// The flags are in driver.mjs.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ElicitRequestSchema, ElicitationCompleteNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { capabilities, commandLine, drive, main, openReport } from './driver.mjs';

await main(async argv => {
    const options = commandLine(argv);
    const { report, person, completed, wait } = openReport(options);

    const client = new Client({ name: 'client1', version: '1.0.0' }, { capabilities: capabilities(options.elicit) });
    if (options.elicit !== 'none') {
        client.setRequestHandler(ElicitRequestSchema, request => person(request.params));
        client.setNotificationHandler(ElicitationCompleteNotificationSchema, n => completed(n.params.elicitationId));
    }
    const { command, commandArgs: args } = options;
    const transport = new StdioClientTransport({ command, args, env: process.env, stderr: 'pipe' });
    let version;
    transport.setProtocolVersion = v => (version = v);

    const call = (params, i) => client.callTool(params, undefined, wait(i));
    return drive(options, report, client, transport, call, () => version);
});

// Returns the text of src/codes.ts for the module's description of itself.
export function codesFile(d) {
  const lists = [
    ["statuses", "Status", "The statuses of a call, by number.", d.statuses],
    ["operationNames", "OperationName", "The stateless operations, by number.", d.ops],
    ["eventNames", "EventName", "Every event.", d.events],
    ["effectNames", "EffectName", "Every effect.", d.effects],
    ["abouts", "About", "The kinds of input that a problem effect can be about.", d.abouts],
    ["protocols", "Protocol", "The protocol dates that `decode` and `encode` support.", d.protocols],
    ["actions", "Action", "The actions of a person.", d.actions],
    ["outcomes", "Outcome", "The outcomes of a request.", d.outcomes],
    ["causes", "Cause", "The causes that settle a request.", d.causes],
    ["problemCodes", "ProblemCode", "Every code of a problem.", d.problems],
    ["reasonCodes", "ReasonCode", "Every code of a reason.", d.reasons],
    ["findingCodes", "FindingCode", "Every code of a finding.", d.findings.map((f) => f.code)],
    ["remarkCodes", "RemarkCode", "Every code of a remark to a schema's author.", d.remarks],
    ["limitNames", "LimitName", "Every limit.", d.limits.map((l) => l.name)],
    ["configurationKeys", "ConfigurationKey", "Every member of a configuration.", names(d.configuration)],
    ["profiles", "Profile", "The profiles of a configuration.", valuesOf(d.configuration, "profile")],
    ["layers", "Layer", "The layers of a policy, the strongest first.", d.layers],
    ["policyKeys", "PolicyKey", "Every member of a policy.", d.policy_keys],
    ["receipts", "Receipt", "The receipts that a host reports of a question before its answer.", d.receipts],
    ["scopes", "Scope", "The scopes of a grant: how long a yes is remembered.", d.scopes],
    ["vias", "Via", "The origins of an answer; left out, a person.", d.vias],
    ["faults", "Fault", "The reasons why a guardian gave no verdict.", d.faults],
    ["phases", "ConsultPhase", "The moments at which a guardian is consulted.", d.phases],
    ["resolutions", "Resolution", "The ends of a page that a person agreed to.", d.resolutions],
    ["relayEventNames", "RelayEventName", "The events that only a connection has.", d.relay.events],
    ["relayEffectNames", "RelayEffectName", "The effects that only a connection has.", d.relay.effects],
    ["roles", "Role", "The places of a host on a connection.", d.relay.roles],
    ["askers", "Asker", "The sides that can be asked a question that policy does not decide.", d.relay.askers],
    ["relayConfigurationKeys", "RelayConfigurationKey", "Every member of a connection's configuration.",
      names(d.relay.config)],
  ];
  const parts = lists.map(([name, type, about, list]) =>
    `/** ${about} */\nexport const ${name} = [\n${wrap(list)}] as const;\n` +
    `export type ${type} = (typeof ${name})[number];\n`);
  // Types alone, since the arrays would be in every page and the module for pages has no such names.
  const types = [
    ["Framework", "The agent frameworks whose interrupts are read.", d.frameworks],
    ["InterruptOption", "The answers that an interrupt may take.", d.interrupt_options],
  ].map(([type, about, list]) =>
    `/** ${about} */\nexport type ${type} =${list.map((name) => ` | ${JSON.stringify(name)}`).join("").slice(2)};\n`);
  return `// Written by scripts/codes.mjs from the module's own description.\n\n${[...parts, ...types].join("\n")}`;
}

const names = (members) => members.map((member) => member.name);

const valuesOf = (members, name) => members.find((member) => member.name === name).values;

function wrap(list) {
  let out = "", line = " ";
  for (const item of list) {
    const word = ` ${JSON.stringify(item)},`;
    if (line.length + word.length > 118) {
      out += line + "\n";
      line = " ";
    }
    line += word;
  }
  return out + line + "\n";
}

// The text of src/codes.ts for a description of the module.
export function codesFile(d) {
  const lists = [
    ["statuses", "Status", "How a call went, by number.", d.statuses],
    ["operationNames", "OperationName", "The stateless operations, by number.", d.ops],
    ["eventNames", "EventName", "Every event.", d.events],
    ["effectNames", "EffectName", "Every effect.", d.effects],
    ["abouts", "About", "What a problem effect is about.", d.abouts],
    ["protocols", "Protocol", "The protocol dates that decode and encode know.", d.protocols],
    ["actions", "Action", "What a person does.", d.actions],
    ["outcomes", "Outcome", "How a request ends.", d.outcomes],
    ["causes", "Cause", "Who or what settled a request.", d.causes],
    ["problemCodes", "ProblemCode", "Every code of a problem.", d.problems],
    ["reasonCodes", "ReasonCode", "Every code of a reason.", d.reasons],
    ["findingCodes", "FindingCode", "Every code of a finding.", d.findings.map((f) => f.code)],
    ["remarkCodes", "RemarkCode", "Every code of a remark to a schema's author.", d.remarks],
    ["limitNames", "LimitName", "Every limit.", d.limits.map((l) => l.name)],
    ["configurationKeys", "ConfigurationKey", "Every member of a configuration.", d.configuration.map((k) => k.name)],
    ["profiles", "Profile", "The profiles of a configuration.", d.configuration.find((k) => k.name === "profile").values],
    ["layers", "Layer", "The layers of policy, the strongest first.", d.layers],
    ["policyKeys", "PolicyKey", "Every member of a policy.", d.policy_keys],
    ["receipts", "Receipt", "What a host tells of a question before it is answered.", d.receipts],
    ["scopes", "Scope", "For how long a yes stands.", d.scopes],
    ["vias", "Via", "How an answer came about; left out, by a person.", d.vias],
    ["faults", "Fault", "Why a guardian gave no answer.", d.faults],
    ["phases", "ConsultPhase", "When a guardian is asked.", d.phases],
    ["resolutions", "Resolution", "How a page ended that was consented to.", d.resolutions],
    ["relayEventNames", "RelayEventName", "The events that only a connection takes.", d.relay.events],
    ["relayEffectNames", "RelayEffectName", "The effects that only a connection has.", d.relay.effects],
    ["roles", "Role", "What the host of a connection is.", d.relay.roles],
    ["askers", "Asker", "Who is asked what policy leaves open.", d.relay.askers],
    ["relayConfigurationKeys", "RelayConfigurationKey", "Every member of a connection's configuration.", d.relay.config.map((k) => k.name)],
  ];
  const parts = lists.map(([name, type, about, list]) =>
    `/** ${about} */\nexport const ${name} = [\n${wrap(list)}] as const;\nexport type ${type} = (typeof ${name})[number];\n`);
  return `// Written by scripts/codes.mjs from the module's own description.\n\n${parts.join("\n")}`;
}

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

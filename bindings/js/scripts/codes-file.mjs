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

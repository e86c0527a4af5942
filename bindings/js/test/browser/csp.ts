// Asks a question in a page, draws it, and puts what came of it on `window`.
import { Engine, load } from "../../dist/index.js";
import "../../src/form/index.ts";

const schema = { type: "object", properties: { name: { type: "string", title: "Name" } }, required: ["name"] };

async function ask(): Promise<string> {
  const engine = await Engine.open();
  engine.step({ event: "opened", session: "s", server: "x", side: "answering", declared: ["form"], shown: ["form"] });
  const effects = engine.step({ event: "asked", session: "s", ref: "1", mode: "form", message: "Who?", schema });
  const form = document.createElement("elicit-form");
  form.question = JSON.stringify(effects.find(({ effect }) => effect === "show"));
  form.checker = (_, json) => {
    const out = engine.eval("check", { schema, content_text: json });
    return "problems" in out ? out.problems : [];
  };
  document.body.append(form);
  return new Promise((resolve) => form.addEventListener("elicit-answer", ({ detail }) => resolve(detail.json!)));
}

const why = (error: Error) => error.message;
Object.assign(window, {
  answer: ask().catch(why),
  bytes: fetch("/dist/elicit.wasm").then((file) => load(file.arrayBuffer())).then(() => "compiled", why),
});

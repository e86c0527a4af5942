import { html, type TemplateResult } from "lit";
import type { Engine, Operation } from "../../src/index.ts";
import type { Vector } from "./examples.ts";
import { laidOutText } from "./view.ts";

/** Draws a vector that runs in this tab: its input, its wanted output, and whether its output equals that exactly. */
export function vectorPane(engine: Engine, vector: Vector | undefined): TemplateResult {
  if (!vector) return html`<p class="soft">Pick one under “Vectors…”. Every language runs the same ones.</p>`;
  const got = engine.evalText(vector.op as Operation, vector.in);
  const passes = got === vector.want;
  return html`<p class="outcome ${passes ? "accept" : "decline"}">${passes ? "Passes here too" : "Differs"}</p>
    <p class="soft"><bdi>${vector.about}</bdi></p>
    <p class="soft">${vector.id} · ${vector.spec}</p>
    <p class="soft">in: <code>${vector.op}</code></p>${laidOutText(vector.in)}
    <p class="soft">wanted${got === vector.want ? " and got" : ""}</p>${laidOutText(vector.want)}
    ${got === vector.want ? html`` : html`<p class="soft">got</p>${laidOutText(got)}`}`;
}

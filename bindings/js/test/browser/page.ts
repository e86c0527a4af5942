// Runs vectors in the page and in a worker that gets the page's module, and puts what came of it on `window`.
import { Engine, load } from "../../dist/index.js";
import { runVectors, type Failure, type Vector } from "../vectors.ts";

export interface Ran {
  count: number;
  failures: Failure[];
}

/** Runs the vectors of a list with a module. */
export async function run(list: string, module: WebAssembly.Module): Promise<Ran> {
  const vectors = (await (await fetch(list)).json()) as Vector[];
  const engine = await Engine.open({}, { module });
  const failures = runVectors(engine, vectors);
  engine.close();
  return { count: vectors.length, failures };
}

if (typeof document !== "undefined") {
  const there = window as unknown as { page: Promise<Ran>; worker: Promise<Ran> };
  there.page = load().then((module) => run("/page.json", module));
  there.worker = load().then((module) => new Promise((resolve, reject) => {
    const worker = new Worker("/test/browser/worker.ts", { type: "module" });
    worker.onmessage = ({ data }) => resolve(data as Ran);
    worker.onerror = (event) => reject(new Error(event.message));
    worker.postMessage(module);
  }));
}

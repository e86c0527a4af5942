// Has two ends talk in the page and in a worker, and puts what the host was handed on `window`.
import { Engine, load } from "../../dist/index.js";
import { roomy } from "../asking.ts";
import { talk } from "../talk.ts";

const told = (module: WebAssembly.Module) => Engine.open(roomy, { module }).then(talk);

if (typeof document !== "undefined") {
  const there = window as unknown as Record<"page" | "worker", Promise<string[]>>;
  there.page = load().then(told);
  there.worker = load().then(
    (module) =>
      new Promise((resolve, reject) => {
        const worker = new Worker("/test/browser/talk.ts", { type: "module" });
        worker.onmessage = ({ data }) => resolve(data as string[]);
        worker.onerror = (event) => reject(new Error(event.message));
        worker.postMessage(module);
      }),
  );
} else {
  onmessage = ({ data }) => void told(data as WebAssembly.Module).then((lines) => postMessage(lines));
}

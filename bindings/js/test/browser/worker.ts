import { run } from "./page.ts";

onmessage = ({ data }) => void run("/worker.json", data as WebAssembly.Module).then((ran) => postMessage(ran));

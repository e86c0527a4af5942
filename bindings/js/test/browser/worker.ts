import { run } from "./page.ts";

onmessage = ({ data }) => void run(data as WebAssembly.Module).then((ran) => postMessage(ran));

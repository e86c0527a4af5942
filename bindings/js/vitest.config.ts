import { configDefaults, defineConfig } from "vitest/config";
import { nightly } from "./test/vector-files.ts";

// Pictures, and the tabs of the playground, which shows what is tested elsewhere.
const tabs = "complete,guardian,layout,past,presets,problems,shots";
const slow = ["test/form/shots", "test/page/looks", `test/playground/{${tabs}}`];

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: [...configDefaults.exclude, ...(nightly ? [] : slow.map((name) => `${name}.test.ts`))],
    globalSetup: "test/once/setup.ts",
    // No test is about time. The longest takes half a minute on a quiet machine, and a busy one has several at once.
    testTimeout: 600_000,
    // Some hooks build Go programs. That takes minutes on a busy machine.
    hookTimeout: 600_000,
    // The default of a second is too short for a busy machine.
    expect: { poll: { timeout: 60_000 } },
    // The files of a worker share its modules: the engine, which is compiled once then, and Chromium. Many tests wait
    // for another process, so there are more workers than a small machine has processors.
    isolate: false,
    maxWorkers: 3,
  },
});

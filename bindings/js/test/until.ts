import { vi } from "vitest";

/** How many milliseconds a wait may take. A test has two minutes, so the error of a longer wait names its place. */
export const patience = 100_000;

/** Waits until `check` no longer throws, long enough for a busy machine. */
export const until = (check: () => void): Promise<void> => vi.waitFor(check, { timeout: patience, interval: 10 });

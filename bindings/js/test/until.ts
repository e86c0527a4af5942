import { vi } from "vitest";

/** Waits until `check` no longer throws, long enough for a busy machine. */
export const until = (check: () => void): Promise<void> => vi.waitFor(check, { timeout: 100_000, interval: 10 });

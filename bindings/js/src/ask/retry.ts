const shortest = 10;
const longest = 1000;

/** Tries until it is done, after ever longer pauses in milliseconds. The first pause may be left out. */
export async function retry(attempt: () => Promise<boolean>, first = shortest): Promise<void> {
  for (let pause = first; ; pause = Math.min(longest, Math.max(shortest, 2 * pause))) {
    if (pause > 0) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, pause) as { unref?(): void };
        timer.unref?.();
      });
    }
    if (await attempt()) return;
  }
}

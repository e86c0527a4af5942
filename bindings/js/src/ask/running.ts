import type { Run } from "./run.ts";
import type { Caller } from "./asker.ts";
import type { Session } from "./session.ts";

/** A run with its session, which may close before the run asks anything. */
export interface Running {
  session: Session;
  readonly run: Run;
  readonly caller: Caller;
  /** Gives the run another session. */
  reopen(): Promise<void>;
}

const isClosed = (error: unknown) => (error as { code?: unknown }).code === "session_closed";

export function unlessClosed(error: unknown): undefined {
  if (!isClosed(error)) throw error;
}

/** Does something of a run. If its session closed before the run asked anything, the run opens it again. */
export async function opened<T>(of: Running, doing: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await doing();
    } catch (error) {
      if (of.run.begun || !of.session.closed || !isClosed(error) || tried === 3) throw error;
      await of.reopen();
    }
  }
}

import type { ReactiveController, ReactiveControllerHost } from "lit";

/** The remaining seconds that are announced to screen readers: often enough to act on, seldom enough not to annoy. */
const announcements = [300, 60, 30, 10];

/** Redraws its host once a second while a deadline lies ahead. */
export class Clock implements ReactiveController {
  private timer: ReturnType<typeof setInterval> | undefined;

  constructor(
    private readonly host: ReactiveControllerHost,
    private readonly deadline: () => number | undefined,
  ) {
    host.addController(this);
  }

  hostUpdated(): void {
    const isNeeded = this.left !== undefined && this.left > 0;
    if (isNeeded && this.timer === undefined) this.timer = setInterval(() => this.host.requestUpdate(), 1000);
    if (!isNeeded) this.stop();
  }

  hostDisconnected(): void {
    this.stop();
  }

  hostConnected(): void {
    this.host.requestUpdate();
  }

  /** Whole seconds left, or undefined without a deadline. */
  get left(): number | undefined {
    const deadline = this.deadline();
    return deadline === undefined || deadline <= 0 ? undefined : Math.max(0, Math.ceil((deadline - Date.now()) / 1000));
  }

  /** The remaining seconds to announce. The value changes only at the times in `announcements`. */
  get announced(): number | undefined {
    const left = this.left;
    return left === undefined ? undefined : announcements.filter((seconds) => left <= seconds).at(-1);
  }

  private stop(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }
}

export function clockFace(seconds: number): string {
  const two = (n: number): string => String(n).padStart(2, "0");
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

/** Milliseconds after a question appears in which keys and clicks do nothing: they were meant for something else. */
const settling = 600;

/** Waits until a question has been visible for a moment. Then it sets the attribute `ready` of the element. */
export class Settling {
  isOver = false;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly element: Element) {}

  /** Starts again for a new question. */
  begin(): void {
    clearTimeout(this.timer);
    this.set(false);
    this.timer = setTimeout(() => this.set(true), settling);
  }

  /** The page can change the attribute, so the element reads `isOver`. */
  private set(isOver: boolean): void {
    this.isOver = isOver;
    this.element.toggleAttribute("ready", isOver);
  }
}

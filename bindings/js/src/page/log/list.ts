import { make } from "./draw.ts";

/** The height of a row in pixels; page.css has it too. */
const rowHeight = 48;

/** Rows that are drawn beyond the visible ones. */
const beyond = 8;

/** A list of any length, of which only the visible rows are in the document. */
export class List {
  #count = 0;
  #chosen = -1;
  #drawn = "";
  readonly #space = make("div", { role: "presentation", class: "space" });

  constructor(
    private readonly box: HTMLElement,
    private readonly row: (place: number) => (Node | string)[],
    private readonly chosen: (place: number) => void,
  ) {
    box.replaceChildren(this.#space);
    box.addEventListener("scroll", () => this.#draw());
    new ResizeObserver(() => this.#draw()).observe(box);
    box.addEventListener("keydown", (event) => this.#key(event));
    box.addEventListener("click", (event) => {
      const row = (event.target as Element).closest<HTMLElement>("[role=option]");
      if (row) this.choose(Number(row.dataset["place"]));
    });
  }

  /** Shows a new list, from its first row. */
  show(count: number): void {
    this.#count = count;
    this.#chosen = -1;
    this.#space.style.height = `${count * rowHeight}px`;
    this.box.hidden = count === 0;
    this.box.scrollTop = 0;
    this.#draw(true);
  }

  /** Scrolls until a row is the first. */
  reveal(place: number): void {
    this.box.scrollTop = place * rowHeight;
    this.#draw();
  }

  choose(place: number): void {
    if (place < 0 || place >= this.#count) return;
    this.#chosen = place;
    const top = place * rowHeight;
    const { scrollTop, clientHeight } = this.box;
    if (top < scrollTop) this.box.scrollTop = top;
    else if (top + rowHeight > scrollTop + clientHeight) this.box.scrollTop = top + rowHeight - clientHeight;
    this.#draw(true);
    this.chosen(place);
  }

  #key(event: KeyboardEvent): void {
    const page = Math.max(1, Math.floor(this.box.clientHeight / rowHeight) - 1);
    const to: Record<string, number> = { ArrowDown: this.#chosen + 1, ArrowUp: this.#chosen - 1, Home: 0,
      End: this.#count - 1, PageDown: this.#chosen + page, PageUp: this.#chosen - page };
    const place = to[event.key];
    if (place === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this.choose(Math.min(Math.max(place, 0), this.#count - 1));
  }

  #draw(again = false): void {
    const first = Math.max(0, Math.floor(this.box.scrollTop / rowHeight) - beyond);
    const last = Math.min(this.#count, Math.ceil((this.box.scrollTop + this.box.clientHeight) / rowHeight) + beyond);
    if (!again && this.#drawn === `${first} ${last}`) return;
    this.#drawn = `${first} ${last}`;
    const rows: HTMLElement[] = [];
    for (let place = first; place < last; place++) {
      const row = make("div", { role: "option", id: `row-${place}`, "data-place": String(place),
        "aria-setsize": String(this.#count), "aria-posinset": String(place + 1),
        "aria-selected": String(place === this.#chosen) }, ...this.row(place));
      row.style.top = `${place * rowHeight}px`;
      rows.push(row);
    }
    this.#space.replaceChildren(...rows);
    if (this.#chosen >= first && this.#chosen < last) {
      this.box.setAttribute("aria-activedescendant", `row-${this.#chosen}`);
    } else this.box.removeAttribute("aria-activedescendant");
  }
}

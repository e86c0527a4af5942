// Runs scripts of `elicit hostkit` through the loop of a connection. internal/hostscript/host.go says what it reads.
import { connect, Engine, JournalError } from "../dist/index.js";
import { parts } from "./parts.mjs";

let host;
let timer; // the one timer of the loop; the script says when it ends
globalThis.setTimeout = (tick, ms) => (timer = { tick, ms, end: clock() + ms });
globalThis.clearTimeout = (one) => void (one === timer && (timer = undefined));
crypto.getRandomValues = (bytes) => bytes.fill(0);

const clock = () => host.times.at(host.times[1] < 0 ? 0 : 1);
const settled = () => new Promise(setImmediate); // the loop waits for nothing but the journal, which is kept at once
const members = (text) => new Map(parts(text));

/** A connection with the clocks and the journal of a script. `items` has what it performed, as bytes. */
class Scripted {
  constructor(alone, keeps, times) {
    [this.items, this.alone, this.keeps, this.times] = [[], alone, keeps, times];
    timer = undefined;
  }

  open(opening) {
    const relay = members(members(opening.toString()).get("relay"));
    const config = relay.get("config");
    relay.delete("config");
    const rest = JSON.parse(`{${[...relay].map(([name, raw]) => `${JSON.stringify(name)}:${raw}`).join()}}`);
    let begun = false;
    const journal = {
      append: (record) => this.keep(`append ${record}`),
      begin: () => (begun ? this.keep("new_journal") : void (begun = true)),
    };
    const script = this;
    const options = {
      journal,
      now: () => this.times[0],
      get elapsed() {
        return script.times[1] < 0 ? undefined : () => script.times[1];
      },
    };
    this.connection = connect(engine, { ...rest, ...(config && { config }) }, this.host(), options);
  }

  /** A host that performs every effect. */
  host() {
    const effect = (one) => {
      // The loop adds the exact text of a guardian's question.
      const text = JSON.stringify(one, (name, value) => (name === "question_text" ? undefined : value));
      this.items.push(Buffer.from(text));
    };
    const own = {
      write: (end, message) => void this.items.push(Buffer.concat([Buffer.from(`${end} `), Buffer.from(message)])),
      consult: this.alone ? undefined : (one) => (effect(one), new Promise(() => {})),
      ui: undefined,
      failed: undefined,
    };
    return new Proxy({}, { get: (_, name) => (name in own ? own[name] : effect) });
  }

  keep(item) {
    if (this.keeps === 0) throw new Error("no space left on device");
    this.keeps--;
    this.items.push(Buffer.from(item));
  }

  async run(kind, given) {
    if (kind === "pass") {
      if (timer) timer.end = clock();
    } else if (kind !== "event") await this.connection.receive(kind, given);
    else await this.connection.do(event(given.toString()));
  }
}

/** An event, with the exact text of a configuration in it. */
function event(input) {
  const raw = members(input).get("event");
  const { message, event } = JSON.parse(input);
  const config = members(raw).get("config");
  if (event.event === "configured" && config !== undefined) {
    delete event.config;
    event.config_text = config;
  }
  return message === undefined ? event : { event, message };
}

/** Reads lines, and as many bytes as a line says. */
class Input {
  #source = process.stdin[Symbol.asyncIterator]();
  #left = Buffer.alloc(0);

  async line() {
    while (!this.#left.includes(10)) if (!(await this.#more([this.#left]))) return undefined;
    return this.#take(this.#left.indexOf(10), 1).toString();
  }

  async bytes(size) {
    const chunks = [this.#left];
    for (let have = this.#left.length; have < size; ) {
      const { value } = await this.#source.next();
      chunks.push(value);
      have += value.length;
    }
    this.#left = Buffer.concat(chunks);
    return this.#take(size, 0);
  }

  async #more(chunks) {
    const { value, done } = await this.#source.next();
    if (!done) this.#left = Buffer.concat([...chunks, value]);
    return !done;
  }

  #take(size, skip) {
    const found = this.#left.subarray(0, size);
    this.#left = this.#left.subarray(size + skip);
    return found;
  }
}

const engine = await Engine.open();
const input = new Input();
for (let line; (line = await input.line()) !== undefined; ) {
  const [kind, ...numbers] = line.split(" ");
  const [at, elapsed, size] = numbers.slice(-3).map(Number);
  const given = await input.bytes(size);
  if (kind === "close") {
    await host.connection.shutdown();
    continue;
  }
  try {
    if (kind === "open" || kind === "alone") {
      host = new Scripted(kind === "alone", Number(numbers[0]), [at, elapsed]);
      host.open(given);
    } else {
      [host.items, host.times] = [[], [at, elapsed]];
      await host.run(kind, given);
    }
    await settled();
  } catch (error) {
    if (!(error instanceof JournalError)) throw error; // the items say what followed
  }
  if (timer) timer.end = Math.min(timer.end, clock() + timer.ms); // a clock that is set back stops no timer
  for (let ended; timer?.end <= clock(); await settled()) {
    [ended, timer] = [timer];
    ended.tick();
  }
  const items = host.items.flatMap((item) => [Buffer.from(`${item.length}\n`), item, Buffer.from("\n")]);
  process.stdout.write(Buffer.concat([...items, Buffer.from(`wait ${timer ? timer.end - clock() : -1}\n`)]));
}

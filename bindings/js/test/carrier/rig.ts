import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { closePages, launch } from "../browser/chromium.ts";
import { goPrograms } from "../once/once.ts";

interface Line {
  base?: string;
  link?: string;
  token?: string;
  action?: string;
  answer?: unknown;
}

export interface Put {
  message: string;
  schema: object;
  principal?: string;
  secret?: boolean;
  seconds?: number;
}

/** A Go server with the page, and a real Chromium. */
export class Rig {
  private constructor(
    private readonly folder: string,
    readonly browser: Browser,
  ) {}

  static async build(): Promise<Rig> {
    return new Rig(await goPrograms("carrier", "./testdata/pageserver"), await launch());
  }

  async close(): Promise<void> {
    await closePages(this.browser);
  }

  async serve(...flags: string[]): Promise<Server> {
    const server = new Server(spawn(join(this.folder, "pageserver"), flags));
    server.base = (await server.next()).base!;
    return server;
  }

  /** Another browser, with cookies of its own. */
  async person(options: BrowserContextOptions = {}): Promise<Page> {
    const context = await this.browser.newContext({ viewport: { width: 800, height: 900 }, ...options });
    return context.newPage();
  }
}

/** One run of testdata/pageserver. */
export class Server {
  base = "";
  readonly answers: Line[] = [];
  private readonly replies: Line[] = [];
  private heard: () => void = () => undefined;

  constructor(private readonly child: ChildProcessWithoutNullStreams) {
    createInterface(child.stdout).on("line", (text) => {
      const line = JSON.parse(text) as Line;
      (line.action === undefined ? this.replies : this.answers).push(line);
      this.heard();
    });
    child.stderr.pipe(process.stderr);
  }

  async next(list = this.replies): Promise<Line> {
    while (list.length === 0) await new Promise<void>((resolve) => (this.heard = resolve));
    return list.shift()!;
  }

  private do(command: object): Promise<Line> {
    this.child.stdin.write(`${JSON.stringify(command)}\n`);
    return this.next();
  }

  async put(question: Put): Promise<{ link: string; token: string }> {
    return (await this.do({ do: "put", ...question })) as { link: string; token: string };
  }
  advance(seconds: number): Promise<Line> {
    return this.do({ do: "advance", seconds });
  }
  withdraw(token: string): Promise<Line> {
    return this.do({ do: "withdraw", token });
  }
  answer(): Promise<Line> {
    return this.next(this.answers);
  }
  close(): void {
    this.child.kill();
  }
}

/** Opens a link and presses Continue. Waits until the form takes keys and clicks. */
export async function enter(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.locator("elicit-form[ready]").waitFor();
}

// A real Redis for a test, and Go programs that the tests build.
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createClient } from "redis";

const root = fileURLToPath(new URL("../../../../", import.meta.url));

/** Whether there is no Redis here, which in CI counts as a failure. */
export const isRedisMissing = !existsSync("/usr/bin/redis-server") && process.env["CI"] !== "true";

export class Rig {
  private readonly children: ChildProcess[] = [];
  private readonly ends: (() => unknown)[] = [];

  private constructor(readonly folder: string) {}

  static async start(): Promise<Rig> {
    const rig = new Rig(await mkdtemp(join(tmpdir(), "s-")));
    const args = ["--port", "0", "--save", "", "--dir", rig.folder, "--unixsocket", rig.socket];
    rig.children.push(spawn("redis-server", args, { stdio: "ignore" }));
    return rig;
  }

  get socket(): string {
    return join(this.folder, "s");
  }

  /** A client that waits until the server is there. */
  async client() {
    const client = createClient({ socket: { path: this.socket, reconnectStrategy: 10 } });
    client.on("error", () => {});
    await client.connect();
    this.ends.push(() => client.destroy());
    return client;
  }

  /** Builds a Go program of the repository. */
  program(name: string): string {
    execFileSync("go", ["build", "-o", `${this.folder}/`, `./testdata/${name}`], { cwd: root, stdio: "inherit" });
    return join(this.folder, name);
  }

  /** Starts a program that this rig ends. */
  child(program: string, ...args: string[]) {
    const child = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"] });
    this.children.push(child);
    return child;
  }

  async close(): Promise<void> {
    for (const end of this.ends) end();
    for (const child of this.children) child.kill("SIGKILL");
    await rm(this.folder, { recursive: true, force: true });
  }
}

import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** A server whose launcher was killed notices at once and leaves, on a busy machine a little later. */
const LEFTOVER_WAIT_MS = 30_000;
const POLL_MS = 200;
const LONGEST_COMMAND = 80;
const TAKEN = "EADDRINUSE";

export interface Holder {
  readonly pid: number;
  readonly command: string;
}

export async function requireFreePort(port: number, host: string): Promise<void> {
  const deadline = performance.now() + LEFTOVER_WAIT_MS;
  while (true) {
    const refusal = await tryListen(port, host);
    if (refusal === undefined) return;
    const isLeftover = refusal === TAKEN && SERVER.test(launcherOf(holderOf(port))?.command ?? "");
    if (!isLeftover || performance.now() > deadline) throw new Error(whyNotListening(refusal, port, host));
    await sleep(POLL_MS);
  }
}

/** What a refusal of the system means, and what to do; `refusal` is the code of its error. */
export function whyNotListening(refusal: string, port: number, host: string): string {
  if (refusal === TAKEN) return taken(port, launcherOf(holderOf(port)));
  return `Cannot listen on ${host}:${port} (${refusal}). Choose another HOST or PORT.`;
}

/** The server from its sources, or from a build. */
const SERVER = /scripts\/server\.ts|\.next\/[\w-]+\/server\.mjs/;

function taken(port: number, holder: Holder | undefined): string {
  const other = `start with PORT=${port + 1}`;
  if (holder === undefined) return `Port ${port} is taken by another program. Stop it, or ${other}.`;
  const isOurs = SERVER.test(holder.command) || holder.command.includes("scripts/run.ts");
  const what = isOurs ? "another Trilho" : holder.command.slice(0, LONGEST_COMMAND);
  return `Port ${port} is taken by process ${holder.pid} (${what}). Stop it with "kill ${holder.pid}", or ${other}.`;
}

/** A server that a living launcher watches over would be started again: the launcher is the one to stop. */
function launcherOf(holder: Holder | undefined): Holder | undefined {
  if (!holder || !SERVER.test(holder.command)) return holder;
  const parent = parentOf(holder.pid);
  const command = commandOf(parent);
  return command.includes("scripts/run.ts") ? { pid: parent, command } : holder;
}

function parentOf(pid: number): number {
  try {
    return Number(/^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

function tryListen(port: number, host: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const probe = createServer();
    // Every listening error of Node carries a code.
    probe.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    probe.listen(port, host, () => probe.close(() => resolve(undefined)));
  });
}

export function holderOf(port: number): Holder | undefined {
  try {
    return process.platform === "linux" ? holderOnLinux(port) : holderByLsof(port);
  } catch {
    return undefined;
  }
}

const LOCAL_ADDRESS = 1;
const STATE = 3;
const INODE = 9;
const LISTENING = "0A";

function holderOnLinux(port: number): Holder | undefined {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  const inodes = ["/proc/net/tcp", "/proc/net/tcp6"].flatMap((table) =>
    readFileSync(table, "utf8")
      .split("\n")
      .map((line) => line.trim().split(/\s+/))
      .filter((fields) => fields[LOCAL_ADDRESS]?.endsWith(suffix) && fields[STATE] === LISTENING)
      .map((fields) => `socket:[${fields[INODE]}]`),
  );
  const pid = readdirSync("/proc").find((name) => /^\d+$/.test(name) && holds(name, inodes));
  return pid === undefined ? undefined : { pid: Number(pid), command: commandOf(Number(pid)) };
}

function holds(pid: string, inodes: readonly string[]): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => inodes.includes(link(`/proc/${pid}/fd/${fd}`)));
  } catch {
    return false;
  }
}

function link(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}

function holderByLsof(port: number): Holder | undefined {
  const output = execFileSync("lsof", ["-nP", `-iTCP:${port}`, "-sTCP:LISTEN", "-Fp"], { encoding: "utf8" });
  const pid = Number(/^p(\d+)$/m.exec(output)?.[1]);
  if (!pid) return undefined;
  return { pid, command: execFileSync("ps", ["-o", "command=", "-p", String(pid)], { encoding: "utf8" }).trim() };
}

/** The command line of a process; empty when it is gone or cannot be read. */
export function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim();
  } catch {
    return "";
  }
}

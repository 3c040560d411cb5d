import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isAlive } from "@/db/embedded/lock";

export interface Postmaster {
  readonly pid: number;
  readonly port: number;
  readonly ready: boolean;
}

const PID_LINE = 0;
const PORT_LINE = 3;
const STATUS_LINE = 7;

/** What the server wrote about itself; undefined when it does not run. */
export function readPostmaster(cluster: string): Postmaster | undefined {
  const lines = read(fileIn(cluster))?.split("\n");
  if (lines === undefined) return undefined;
  const pid = Number(lines[PID_LINE]);
  if (!isAlive(pid) || isForeign(pid)) return undefined;
  return { pid, port: Number(lines[PORT_LINE]), ready: lines[STATUS_LINE]?.trim() === "ready" };
}

/** PostgreSQL would refuse to start for as long as the program lives that has its recorded number now. */
export function removeForeignPidFile(cluster: string): void {
  const pid = Number(read(fileIn(cluster))?.split("\n")[PID_LINE]);
  if (isAlive(pid) && isForeign(pid)) rmSync(fileIn(cluster), { force: true });
}

/** After a crash of the machine the number may belong to anything; where that cannot be known, it is believed. */
function isForeign(pid: number): boolean {
  const name = read(`/proc/${pid}/comm`)?.trim();
  return name !== undefined && name !== "postgres";
}

const fileIn = (cluster: string): string => join(cluster, "postmaster.pid");

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

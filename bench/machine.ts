import { readdirSync, readFileSync } from "node:fs";
import { cpus, loadavg, totalmem } from "node:os";

const TICKS_PER_SECOND = 100;
const GIGABYTE = 1024 ** 3;

export function describeMachine(): string {
  const [first] = cpus();
  const memory = (totalmem() / GIGABYTE).toFixed(0);
  const load = loadavg()[0]?.toFixed(1);
  return `${cpus().length} × ${first?.model.trim() ?? "unknown"}, ${memory} GB, Node ${process.version}, load ${load}`;
}

/** CPU seconds that a PostgreSQL server and all its backends, past ones included, have used; 0 where /proc is not. */
export function serverCpuSeconds(postmaster: number): number {
  let ticks = 0;
  for (const { pid, parent, own, reaped } of processes()) {
    if (pid === postmaster) ticks += own + reaped;
    else if (parent === postmaster) ticks += own;
  }
  return ticks / TICKS_PER_SECOND;
}

/** CPU seconds that one process has used. */
export const cpuSecondsOf = (pid: number): number => (readProcess(String(pid))[0]?.own ?? 0) / TICKS_PER_SECOND;

interface Process {
  pid: number;
  parent: number;
  own: number;
  /** Of children that ended. */
  reaped: number;
}

function processes(): Process[] {
  try {
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .flatMap(readProcess);
  } catch {
    return [];
  }
}

function readProcess(name: string): Process[] {
  try {
    const stat = readFileSync(`/proc/${name}/stat`, "utf8");
    // The program's name stands in parentheses and may hold blanks; the numbers follow it.
    const fields = stat
      .slice(stat.lastIndexOf(")") + 2)
      .split(" ")
      .map(Number);
    const at = (index: number): number => fields[index] ?? 0;
    return [{ pid: Number(name), parent: at(1), own: at(11) + at(12), reaped: at(13) + at(14) }];
  } catch {
    return [];
  }
}

const KILOBYTE = 1024;

/** Memory of a process in bytes; pages it shares with others count by their share, so that processes add up. */
export function residentBytes(pid: number): number {
  const line = /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"));
  return Number(line?.[1] ?? 0) * KILOBYTE;
}

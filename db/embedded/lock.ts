import { randomUUID } from "node:crypto";
import { linkSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

const POLL_MS = 50;
const HEARTBEAT_MS = 2_000;
/** A holder that has not touched its file for this long is gone, even when its process number lives on as something else. */
const STALE_AFTER_MS = 20_000;

/** One process at a time per path, on one machine; the lock of a killed process is taken over. */
export async function withFileLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const mine = `${process.pid} ${randomUUID()}`;
  while (!tryTake(path, mine)) {
    breakWhenStale(path);
    await sleep(POLL_MS);
  }
  const heartbeat = setInterval(() => touch(path), HEARTBEAT_MS);
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    if (read(path) === mine) rmSync(path, { force: true });
  }
}

function tryTake(path: string, content: string): boolean {
  const draft = `${path}.${randomUUID()}`;
  writeFileSync(draft, content, { mode: 0o600 });
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    // A failed link reports a Node system error, which carries a code.
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

function breakWhenStale(path: string): void {
  const seen = read(path);
  const file = statSync(path, { throwIfNoEntry: false });
  if (seen === undefined || file === undefined) return;
  const silentMs = performance.timeOrigin + performance.now() - file.mtimeMs;
  if (isAlive(Number.parseInt(seen, 10)) && silentMs < STALE_AFTER_MS) return;
  const aside = `${path}.${randomUUID()}`;
  try {
    renameSync(path, aside);
    // Another waiter broke it first and took it: what was moved aside is a live lock, so it goes back.
    if (read(aside) !== seen) linkSync(aside, path);
  } catch {
    return;
  } finally {
    rmSync(aside, { force: true });
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

function touch(path: string): void {
  const now = (performance.timeOrigin + performance.now()) / 1000;
  try {
    utimesSync(path, now, now);
  } catch {
    // Taken over by a waiter that found us silent; releasing compares the content.
  }
}

export function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // process.kill reports a Node system error; EPERM means alive and somebody else's.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

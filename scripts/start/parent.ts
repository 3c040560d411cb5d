import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { isAlive } from "@/db/embedded/lock";

const LOOK_EVERY_MS = 500;

/**
 * npm ends by a SIGTERM and does not pass it on, nor does the shell that it starts us in: whoever started us with npm
 * stopped us, and nobody told us.
 */
export function onNpmGone(stop: () => void): void {
  if (process.env.npm_lifecycle_event === undefined || process.platform === "win32") return;
  const parent = process.ppid;
  const grandparent = parentOf(parent);
  // Nobody to miss: started in the background, npm may be gone by now.
  if (parent <= 1) return;
  const ticker = setInterval(() => {
    const isGone = process.ppid !== parent || (grandparent > 1 && isShell(parent) && !isAlive(grandparent));
    if (!isGone) return;
    clearInterval(ticker);
    stop();
  }, LOOK_EVERY_MS);
  ticker.unref();
}

function parentOf(pid: number): number {
  return Number(ask(pid, "ppid", /^PPid:\s+(\d+)$/m)) || 0;
}

const isShell = (pid: number): boolean =>
  /(?:^|\/)(?:sh|bash|dash|zsh|ash|busybox)$/.test(ask(pid, "comm", /^Name:\s+(\S+)$/m));

function ask(pid: number, column: string, line: RegExp): string {
  try {
    if (process.platform === "linux") return line.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? "";
    return execFileSync("ps", ["-o", `${column}=`, "-p", String(pid)], { encoding: "utf8" }).trim();
  } catch {
    return "";
  }
}

import { readdirSync, readFileSync, readlinkSync, realpathSync } from "node:fs";

/**
 * Processes of a killed server that still work on its folder: a new one is refused while they hold its shared memory. What
 * they have not committed is lost with them, as it is by any crash; the log of the server brings the rest back.
 */
export function endOrphans(cluster: string): number {
  if (process.platform !== "linux") return 0;
  const folder = realpathSync(cluster);
  let ended = 0;
  for (const pid of readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)) {
    if (!isServerProcess(pid, folder)) continue;
    try {
      process.kill(pid, "SIGKILL");
      ended++;
    } catch {
      // Gone by itself: they look for their postmaster.
    }
  }
  return ended;
}

function isServerProcess(pid: number, folder: string): boolean {
  try {
    return (
      readFileSync(`/proc/${pid}/comm`, "utf8").trim() === "postgres" && readlinkSync(`/proc/${pid}/cwd`) === folder
    );
  } catch {
    return false;
  }
}

import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inRoot, ROOT } from "@/scripts/start/paths";

const git = (...given: string[]): string => execFileSync("git", given, { cwd: ROOT, encoding: "utf8" }).trim();
const READY = ".ready";

/**
 * A work tree of an earlier commit with its own packages, kept under .data for the next time, so that both commits are
 * measured as they are. Answers its folder.
 */
export function workTreeOf(ref: string): { folder: string; commit: string } {
  const commit = git("rev-parse", "--short=10", `${ref}^{commit}`);
  const folder = inRoot(".data", "earlier", commit);
  if (!existsSync(join(folder, READY))) {
    rmSync(folder, { recursive: true, force: true });
    git("worktree", "prune");
    git("worktree", "add", "--force", "--detach", folder, commit);
    execFileSync("npm", ["ci", "--no-audit", "--no-fund"], { cwd: folder, stdio: ["ignore", 2, 2] });
    writeFileSync(join(folder, READY), "");
  }
  copyFileSync(inRoot("bench", "compare", "host.ts"), join(folder, "bench", "compare-host.ts"));
  return { folder, commit };
}

import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** What a proof is about: it ages with the commits that touch one of these. */
const RESOURCES = ["purchases", "charges", "payments", "ledger", "engine", "webhooks"];
const CORE = [...RESOURCES.map((folder) => `lib/${folder}`), "db"];

const GIT_TIMEOUT_MS = 10_000;
const execute = promisify(execFile);
const git = async (root: string, ...given: string[]): Promise<string> =>
  (await execute("git", given, { cwd: root, timeout: GIT_TIMEOUT_MS })).stdout.trim();

/** Why the history of this checkout cannot be asked; undefined when it can. */
export async function historyProblem(root: string): Promise<string | undefined> {
  try {
    const isShallow = await git(root, "rev-parse", "--is-shallow-repository");
    return isShallow === "false" ? undefined : "this checkout has only the end of its history";
  } catch {
    return "this checkout has no history, or git is not on this machine";
  }
}

/** Whether the commit is part of what is checked out. */
export const isInHistory = (root: string, commit: string): Promise<boolean> =>
  git(root, "merge-base", "--is-ancestor", commit, "HEAD").then(
    () => true,
    () => false,
  );

const known = new Map<string, Promise<number | undefined>>();

/** How many commits after the oldest of these touched the core; undefined where the history does not tell. */
export function coreCommitsAfter(root: string, commits: readonly string[]): Promise<number | undefined> {
  const key = `${root} ${commits.join(" ")}`;
  const asked = known.get(key) ?? countAfter(root, commits);
  known.set(key, asked);
  return asked;
}

async function countAfter(root: string, commits: readonly string[]): Promise<number | undefined> {
  if (commits.length === 0 || (await historyProblem(root)) !== undefined) return undefined;
  const counts: number[] = [];
  for (const commit of commits) {
    if (!(await isInHistory(root, commit))) return undefined;
    counts.push(Number(await git(root, "rev-list", "--count", `${commit}..HEAD`, "--", ...CORE)));
  }
  return Math.max(...counts);
}

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { coreCommitsAfter, historyProblem, isInHistory } from "@/lib/proof/history";
import { leftOutIf } from "@/lib/testing/left-out";

const folder = mkdtempSync(join(tmpdir(), "history-"));
afterAll(() => rmSync(folder, { recursive: true }));

const IDENTITY = ["-c", "user.name=Trilho", "-c", "user.email=trilho@example.com", "-c", "commit.gpgsign=false"];
const git = (...given: string[]): string =>
  execFileSync("git", [...IDENTITY, ...given], { cwd: folder, encoding: "utf8" }).trim();

function commit(file: string): string {
  mkdirSync(join(folder, file, ".."), { recursive: true });
  writeFileSync(join(folder, file), file);
  git("add", ".");
  git("commit", "--quiet", "--message", file);
  return git("rev-parse", "HEAD");
}

test("a proof ages with the commits after its oldest one that touched the core", async (context) => {
  leftOutIf(context, await historyProblem(process.cwd()));
  expect(await historyProblem(folder)).toBeDefined();
  git("init", "--quiet");
  const first = commit("lib/charges/create.ts");
  const second = commit("lib/ledger/journals.ts");
  commit("README.md");
  commit("components/page.tsx");
  const last = commit("db/schema/charges.ts");
  expect(await historyProblem(folder)).toBeUndefined();
  expect(await coreCommitsAfter(folder, [first])).toBe(2);
  expect(await coreCommitsAfter(folder, [last, second])).toBe(1);
  expect(await coreCommitsAfter(folder, [last])).toBe(0);
});

test("a commit of another history is known for one", async (context) => {
  leftOutIf(context, await historyProblem(folder));
  const lost = git("commit-tree", "-m", "elsewhere", git("rev-parse", "HEAD^{tree}"));
  expect(await isInHistory(folder, git("rev-parse", "HEAD~1"))).toBe(true);
  expect(await isInHistory(folder, lost)).toBe(false);
  expect(await isInHistory(folder, "0".repeat(40))).toBe(false);
  expect(await coreCommitsAfter(folder, [lost])).toBeUndefined();
});

import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { isAlive, withFileLock } from "@/db/embedded/lock";

const folder = mkdtempSync(join(tmpdir(), "lock-"));
afterAll(() => rmSync(folder, { recursive: true }));
const deadPid = (): number => spawnSync(process.execPath, ["-e", "0"]).pid;

it("lets one in at a time, and everybody in the end", async () => {
  const path = join(folder, "one");
  let inside = 0;
  let most = 0;
  let done = 0;
  await Promise.all(
    Array.from({ length: 8 }, () =>
      withFileLock(path, async () => {
        most = Math.max(most, ++inside);
        await new Promise((resolve) => setTimeout(resolve, 5));
        inside--;
        done++;
      }),
    ),
  );
  expect([most, done]).toEqual([1, 8]);
  expect(existsSync(path)).toBe(false);
});

it("is given back when the work fails", async () => {
  const path = join(folder, "fails");
  await expect(withFileLock(path, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await withFileLock(path, async () => "in")).toBe("in");
});

it("of a killed process is taken over", async () => {
  const path = join(folder, "dead");
  writeFileSync(path, `${deadPid()} x`);
  expect(await withFileLock(path, async () => readFileSync(path, "utf8"))).toContain(`${process.pid} `);
});

it("of a process that fell silent is taken over, of one that works is not", async () => {
  const path = join(folder, "silent");
  writeFileSync(path, `${process.ppid} x`);
  const waiting = withFileLock(path, async () => "in");
  const first = await Promise.race([waiting, new Promise((resolve) => setTimeout(resolve, 200, "still waiting"))]);
  expect(first).toBe("still waiting");
  utimesSync(path, 1, 1);
  expect(await waiting).toBe("in");
});

it("knows living processes, other users' included, from dead ones", () => {
  expect(isAlive(process.pid)).toBe(true);
  expect(isAlive(1)).toBe(true);
  expect(isAlive(deadPid())).toBe(false);
  expect(isAlive(Number.NaN)).toBe(false);
});

import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { adoptAddresses, claimFolder } from "@/scripts/start/instance";

const OURS = { PORT: 4511, BASE_URL: "https://trilho.example", CHECKOUT_URL: "https://pay.example" };
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "trilho-instance-"));
  for (const name of ["PORT", "BASE_URL", "CHECKOUT_URL"]) vi.stubEnv(name, "http://localhost:1");
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

test("a command beside a running installation writes links with its addresses, and without one with its own", async () => {
  const giveBack = await claimFolder(folder, OURS);
  const file = join(folder, "running.json");
  const claimed = JSON.parse(readFileSync(file, "utf8"));
  expect(claimed).toEqual({ pid: process.pid, port: 4511, baseUrl: OURS.BASE_URL, checkoutUrl: OURS.CHECKOUT_URL });
  // Of a process that is the launcher by its command line.
  const launcher = spawn(process.execPath, ["-e", "setTimeout(() => {}, 60_000)", "scripts/run.ts"]);
  await new Promise((resolve) => launcher.once("spawn", resolve));
  writeFileSync(file, JSON.stringify({ ...claimed, pid: launcher.pid }));
  adoptAddresses(folder);
  expect([process.env.PORT, process.env.BASE_URL, process.env.CHECKOUT_URL]).toEqual([
    "4511",
    OURS.BASE_URL,
    OURS.CHECKOUT_URL,
  ]);
  launcher.kill("SIGKILL");
  await new Promise((resolve) => launcher.once("exit", resolve));
  process.env.BASE_URL = "http://localhost:1";
  adoptAddresses(folder);
  expect(process.env.BASE_URL).toBe("http://localhost:1");
  giveBack();
  adoptAddresses(folder);
  expect(process.env.BASE_URL).toBe("http://localhost:1");
});

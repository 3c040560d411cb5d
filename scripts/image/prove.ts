import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, isAbsolute, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startEmbedded } from "@/db/embedded";
import { freePort } from "@/lib/testing/ports";
import {
  commandOf,
  copyOf,
  type Instruction,
  parseDockerfile,
  type Stage,
  variablesOf,
} from "@/scripts/image/dockerfile";
import { inRoot } from "@/scripts/start/paths";
import { say, step } from "@/scripts/start/progress";

/**
 * npm run proof:image, where no container engine is at hand: every instruction of the Dockerfile in a clean folder of
 * its stage, then its programs as another user who may write to nothing but /data and /tmp. The node that runs this
 * stands in for the image's.
 */
const WORKDIR = "/app";
const NOBODY = 65_534;
const HEALTHY_WITHIN_MS = 120_000;
const STOPS_WITHIN_MS = 60_000;

const isRoot = process.getuid?.() === 0;
const other = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
const stages = parseDockerfile(readFileSync(inRoot("Dockerfile"), "utf8"));
const folder = mkdtempSync(join(tmpdir(), "trilho-image-"));
chmodSync(folder, 0o755);
const rootOf = ({ name }: Stage): string => join(folder, name || "image");
const running: ChildProcess[] = [];

async function main(): Promise<void> {
  if (!isRoot) say("  ! not root: the programs run as this user, from folders it may write to");
  for (const stage of stages) await build(stage);
  const image = stages.at(-1);
  if (!image) throw new Error("the Dockerfile has no stage");
  await serve(image);
}

async function build(stage: Stage): Promise<void> {
  mkdirSync(join(rootOf(stage), WORKDIR), { recursive: true });
  for (const instruction of stage.instructions) {
    if (instruction.name === "COPY") copy(stage, instruction);
    if (instruction.name === "RUN")
      await step(`${stage.name || "image"}: ${instruction.text}`, () => run(stage, instruction.text));
  }
}

/** Where a path of the image is on this machine. */
const placed = (stage: Stage, path: string): string =>
  isAbsolute(path) ? join(rootOf(stage), path) : join(rootOf(stage), WORKDIR, path);

function copy(stage: Stage, instruction: Instruction): void {
  const { from, sources, target } = copyOf(instruction);
  const source = stages.find(({ name }) => name !== "" && name === from);
  for (const path of sources) {
    const origin = source ? placed(source, path) : inRoot(path);
    const isIntoFolder = target.endsWith("/");
    cpSync(origin, placed(stage, isIntoFolder ? join(target, basename(path)) : target), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (file) => source !== undefined || !/\.test\.tsx?$/.test(file),
    });
  }
}

async function run(stage: Stage, text: string): Promise<void> {
  const command = text
    .replaceAll(" /data", ` ${placed(stage, "/data")}`)
    .replaceAll("node:node", `${other.uid ?? process.getuid?.()}`);
  const child = spawn("sh", ["-c", command], {
    cwd: placed(stage, WORKDIR),
    // Guarantee: only Next's types demand NODE_ENV, which npm ci must not have.
    env: { PATH: process.env.PATH, HOME: folder, ...registry() } as unknown as NodeJS.ProcessEnv,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  if (code !== 0) throw new Error(`${text} ended with ${code}`);
}

/** Where packages come from is this machine's affair. */
const registry = () =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) => /^(npm_config_|https?_proxy|no_proxy)/i.test(name)),
  );

async function serve(image: Stage): Promise<void> {
  const server = await step("PostgreSQL", () =>
    startEmbedded({ cluster: join(folder, "postgres"), database: "trilho" }),
  );
  try {
    const secret = () => randomBytes(32).toString("base64");
    const secrets = { TRILHO_KEK: secret(), TRILHO_SECRET: secret(), AUTH_SECRET: secret() };
    const web = await freePort();
    const [DATABASE_URL, DATABASE_OWNER_URL] = [server.runtimeUrl, server.url];
    const given = { DATABASE_URL, ...secrets, BASE_URL: `http://localhost:${web}` };
    const role = (program: string) => ["node", "--enable-source-maps", `.next/current/${program}.mjs`];
    await step("migrate", () => ends(start(image, role("migrate"), { DATABASE_URL, DATABASE_OWNER_URL }), 0));
    const account = ["node", "--import", "tsx", "scripts/client.ts", "create", "--name", "Proof"];
    await step("first account", () => ends(start(image, account, { ...given, DATABASE_OWNER_URL }), 0));
    const processes = [
      start(image, commandOf(image, "CMD"), { ...given, PORT: String(web) }),
      start(image, role("worker"), { ...given, TRILHO_ROLE: "worker", PORT: String(await freePort()) }),
    ];
    await step("web is healthy by the image's own check", () => healthy(image, web));
    for (const [path, status] of [
      ["/openapi.json", 200],
      ["/sign-in", 200],
      ["/v1/charges", 401],
    ] as const) {
      const reply = await fetch(`http://127.0.0.1:${web}${path}`, { headers: { host: `localhost:${web}` } });
      if (reply.status !== status) throw new Error(`${path} answered ${reply.status} instead of ${status}`);
      say(`  ✓ ${path} ${status}`);
    }
    if (isRoot) await step("the file system is closed to the programs", () => closed(image));
    for (const child of processes) if (child.exitCode !== null) throw new Error("a process fell");
    for (const child of processes) child.kill("SIGTERM");
    await step("both stop within 60 s", () => Promise.all(processes.map((child) => ends(child, 0, STOPS_WITHIN_MS))));
  } finally {
    for (const child of running) child.kill("SIGKILL");
    await server.stop();
  }
}

function start(image: Stage, [, ...command]: string[], given: Record<string, string>): ChildProcess {
  const temporary = placed(image, "/tmp");
  mkdirSync(temporary, { recursive: true });
  chmodSync(temporary, 0o1777);
  const own = { ...variablesOf(image), TRILHO_DATA_DIR: placed(image, variablesOf(image).TRILHO_DATA_DIR ?? "/data") };
  const child = spawn(process.execPath, command, {
    cwd: placed(image, WORKDIR),
    env: {
      NODE_ENV: "production",
      PATH: process.env.PATH,
      HOME: temporary,
      TMPDIR: temporary,
      ...own,
      HOST: "127.0.0.1",
      LOG_LEVEL: "warn",
      ...given,
    },
    stdio: ["ignore", "ignore", "inherit"],
    ...other,
  });
  running.push(child);
  return child;
}

async function ends(child: ChildProcess, expected: number, withinMs = HEALTHY_WITHIN_MS): Promise<void> {
  const timer = setTimeout(() => child.kill("SIGKILL"), withinMs);
  const code =
    child.exitCode ?? (await new Promise<number | null>((resolve) => child.once("exit", (exit) => resolve(exit))));
  clearTimeout(timer);
  if (code !== expected) throw new Error(`${child.spawnargs.join(" ")} ended with ${code ?? child.signalCode}`);
}

async function healthy(image: Stage, port: number): Promise<void> {
  const until = performance.now() + HEALTHY_WITHIN_MS;
  for (;;) {
    const child = start(image, commandOf(image, "HEALTHCHECK"), { PORT: String(port) });
    const code = await new Promise((resolve) => child.once("exit", resolve));
    if (code === 0) return;
    if (performance.now() > until) throw new Error("the health check never passed");
    await sleep(1_000);
  }
}

/** What was built belongs to root: the user of the programs cannot write there. */
function closed(image: Stage): Promise<void> {
  return ends(
    start(image, ["node", "-e", "require('node:fs').access('.', 2, (error) => process.exit(error ? 1 : 0))"], {}),
    1,
  );
}

try {
  await main();
  say("The image's own commands build it and start it.");
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

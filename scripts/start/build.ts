import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isAlive, withFileLock } from "@/db/embedded/lock";
import { bundlePrograms } from "@/scripts/start/bundle";
import { buildIslands } from "@/scripts/start/islands";
import { inRoot, ROOT } from "@/scripts/start/paths";
import { step } from "@/scripts/start/progress";

const SOURCES = [
  "app",
  "components",
  "db",
  "inngest",
  "lib",
  "public",
  "scripts",
  "next.config.ts",
  "package-lock.json",
];
const SOURCE_SETTINGS = ["package.json", "tsconfig.json"];
const LAST_LINES = 40;
const HASH_CHARACTERS = 12;

const BUILDS = ".next";
const BUILDING = join(BUILDS, "building");
const KEPT_CACHE = join(BUILDS, "kept-cache");
/** Where `npm run build` says which build is the one to deploy. */
export const CURRENT = join(BUILDS, "current");
const nameOf = (hash: string): string => join(BUILDS, `build-${hash}`);

/**
 * The folder of the build of exactly these sources, made when there is none. Each state of the sources has its own
 * folder, so a second instance, a test run and a server that still serves older sources do not disturb each other.
 */
export async function ensureBuild(): Promise<string> {
  mkdirSync(inRoot(BUILDS), { recursive: true });
  await buildIslands();
  const dist = nameOf(sourceHash());
  if (existsSync(inRoot(dist))) return use(dist);
  return withFileLock(inRoot(BUILDS, "build.lock"), async () => {
    if (existsSync(inRoot(dist))) return use(dist);
    await step("building the pages (about half a minute, only after a change)", () => build(dist));
    removeOldBuilds(dist);
    return use(dist);
  });
}

export function sourceHash(): string {
  const hash = createHash("sha256").update(process.version);
  for (const name of [...SOURCES, ...SOURCE_SETTINGS]) addTo(hash, name);
  return hash.digest("hex").slice(0, HASH_CHARACTERS);
}

/** Made of the sources, so it says nothing more of them. */
const MADE = join("public", "checkout");

function addTo(hash: ReturnType<typeof createHash>, path: string): void {
  if (path === MADE) return;
  const file = statSync(inRoot(path), { throwIfNoEntry: false });
  if (file === undefined || /\.test\.tsx?$/.test(path)) return;
  if (file.isDirectory()) {
    for (const name of readdirSync(inRoot(path)).sort()) addTo(hash, join(path, name));
  } else {
    hash
      .update(path)
      .update("\0")
      .update(readFileSync(inRoot(path)));
  }
}

async function build(dist: string): Promise<void> {
  rmSync(inRoot(BUILDING), { recursive: true, force: true });
  // A link to a build that a later start removed: Next follows every name of this folder, and would fail at it.
  if (!existsSync(inRoot(CURRENT))) rmSync(inRoot(CURRENT), { force: true });
  mkdirSync(inRoot(BUILDING));
  if (existsSync(inRoot(KEPT_CACHE))) renameSync(inRoot(KEPT_CACHE), inRoot(BUILDING, "cache"));
  writeTypeScriptSettings();
  await runNext(["build"], BUILDING);
  await bundlePrograms(BUILDING);
  if (existsSync(inRoot(BUILDING, "cache"))) renameSync(inRoot(BUILDING, "cache"), inRoot(KEPT_CACHE));
  writeAmbientTypes();
  renameSync(inRoot(BUILDING), inRoot(dist));
}

/** Next adds the folder it builds into to the settings it is given; these stand in for the ones in the repository. */
export function writeTypeScriptSettings(): void {
  mkdirSync(inRoot(BUILDS), { recursive: true });
  const settings = { extends: "../tsconfig.json", compilerOptions: { paths: { "@/*": ["../*"] } }, include: [] };
  writeFileSync(inRoot(BUILDS, "tsconfig.json"), JSON.stringify(settings));
}

/** Next writes this file with imports from the folder of one build; the types only need the parts every build shares. */
export function writeAmbientTypes(): void {
  const references = ["next", "next/image-types/global"].map((name) => `/// <reference types="${name}" />\n`);
  writeFileSync(inRoot("next-env.d.ts"), references.join(""));
}

let builder: ChildProcess | undefined;

/** A start that fails or is interrupted takes its build with it. */
export function stopBuild(): void {
  builder?.kill("SIGKILL");
}

function runNext(args: string[], dist: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const { DATABASE_URL: _unused, ...environment } = process.env;
    const child = spawn(process.execPath, [inRoot("node_modules/next/dist/bin/next"), ...args], {
      cwd: ROOT,
      env: { ...environment, NODE_ENV: "production", TRILHO_DIST: dist, NEXT_TELEMETRY_DISABLED: "1" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    builder = child;
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk: Buffer) => {
        output += chunk.toString();
      });
    }
    child.once("error", reject);
    child.once("close", (code) => {
      if (code === 0) resolve();
      else reject(new Error(`The build failed:\n${output.trim().split("\n").slice(-LAST_LINES).join("\n")}`));
    });
  });
}

/** Notes that this process serves the build, so that no other start removes it. */
function use(dist: string): string {
  try {
    mkdirSync(inRoot(dist, "users"), { recursive: true });
    writeFileSync(inRoot(dist, "users", String(process.pid)), "");
  } catch {
    // A checkout that belongs to another user: it can be served, and only its owner removes builds.
  }
  return dist;
}

function removeOldBuilds(current: string): void {
  for (const name of readdirSync(inRoot(BUILDS))) {
    const dist = join(BUILDS, name);
    if (!name.startsWith("build-") || dist === current) continue;
    const users = inRoot(dist, "users");
    const isUsed = existsSync(users) && readdirSync(users).some((pid) => isAlive(Number(pid)));
    if (!isUsed) rmSync(inRoot(dist), { recursive: true, force: true });
  }
}

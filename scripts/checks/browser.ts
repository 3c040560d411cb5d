import { execFileSync, spawnSync } from "node:child_process";
import { accessSync, constants, existsSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { inRoot, ROOT } from "@/scripts/start/paths";
import { say } from "@/scripts/start/progress";

interface Kind {
  /** Names one that is not found by itself. */
  readonly variable: string;
  readonly names: readonly string[];
  readonly places: readonly string[];
}

const HEADLESS_SHELL = "chromium-headless-shell";
const CHROMIUM: Kind = {
  variable: "CHROMIUM_PATH",
  // The shell is the same engine without a window: the journeys take less than half of the CPU in it.
  names: [HEADLESS_SHELL, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"],
  places: [
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
    "C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe",
  ],
};
const FIREFOX: Kind = {
  variable: "FIREFOX_PATH",
  names: ["firefox", "firefox-esr"],
  places: [
    "/Applications/Firefox.app/Contents/MacOS/firefox",
    "C:\\Program Files\\Mozilla Firefox\\firefox.exe",
    "C:\\Program Files (x86)\\Mozilla Firefox\\firefox.exe",
  ],
};
const INSTALL_TIMEOUT_MS = 5 * 60_000;

const MISSING = `No Chromium was found for the journeys. One of these mends it:
  - CHROMIUM_PATH=/path/to/chromium npm test
  - install Chromium or Google Chrome with the package manager of this machine
  - npx playwright install --with-deps chromium`;

/** A Chromium that is already here. */
export const findBrowser = (): string | undefined => find(CHROMIUM) ?? playwrightBrowser();

/** A Firefox that is already here. */
export const findFirefox = (): string | undefined => find(FIREFOX);

/** Finds a Chromium or fetches one; says what is missing when neither works. */
export function requireBrowser(): string {
  tryForHeadlessShell();
  const found = findBrowser();
  if (found !== undefined) return found;
  for (const [what, install] of [
    ["Playwright's Chromium", installWithPlaywright],
    ["Debian's package chromium", () => installWithApt("chromium")],
  ] as const) {
    say(`  · no Chromium here; trying ${what} …`);
    if (install()) {
      const fetched = findBrowser();
      if (fetched !== undefined && runs(fetched)) return fetched;
    }
  }
  throw new Error(MISSING);
}

/** The lighter one, also where another is here already, unless somebody named theirs. */
function tryForHeadlessShell(): void {
  if (process.env[CHROMIUM.variable]?.trim() || inPath([HEADLESS_SHELL]) || !mayInstallWithApt()) return;
  say(`  · trying Debian's package ${HEADLESS_SHELL} …`);
  installWithApt(HEADLESS_SHELL);
}

/** Fetches a Firefox where that needs nobody's leave; without one its journeys are left out, and said to be. */
export function tryForFirefox(): void {
  if (findFirefox() !== undefined || !mayInstallWithApt()) return;
  say("  · no Firefox here; trying Debian's package firefox-esr …");
  installWithApt("firefox-esr");
}

function find({ variable, names, places }: Kind): string | undefined {
  const given = process.env[variable]?.trim();
  if (given) {
    if (isProgram(given)) return given;
    throw new Error(`${variable} is ${given}, and there is no program. Correct it or unset it.`);
  }
  return inPath(names) ?? places.find(isProgram);
}

/** The first of the names that is anywhere in the path. */
function inPath(names: readonly string[]): string | undefined {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram);
}

function playwrightBrowser(): string | undefined {
  try {
    const script = 'process.stdout.write(require("@playwright/test").chromium.executablePath())';
    const path = execFileSync(process.execPath, ["-e", script], { cwd: ROOT, encoding: "utf8" });
    return isProgram(path) && runs(path) ? path : undefined;
  } catch {
    return undefined;
  }
}

function installWithPlaywright(): boolean {
  return run(process.execPath, [inRoot("node_modules/@playwright/test/cli.js"), "install", "chromium"]);
}

function mayInstallWithApt(): boolean {
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return false;
  return /^ID(_LIKE)?=.*debian/m.test(readFileSync("/etc/os-release", "utf8"));
}

const installWithApt = (name: string): boolean =>
  mayInstallWithApt() && run("apt-get", ["update", "-q"]) && run("apt-get", ["install", "-y", "-q", name]);

function run(program: string, args: string[]): boolean {
  const environment = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  return spawnSync(program, args, { env: environment, stdio: "ignore", timeout: INSTALL_TIMEOUT_MS }).status === 0;
}

/** A downloaded browser may lack libraries of the machine. */
const runs = (path: string): boolean => spawnSync(path, ["--version"], { stdio: "ignore" }).status === 0;

export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

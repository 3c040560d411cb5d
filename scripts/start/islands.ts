import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { inRoot } from "@/scripts/start/paths";

/** The scripts of the checkout, each one file: what it is for stands in the inventory beside its digest. */
const ISLANDS = {
  core: ["islands/core.ts", "checks and sends the forms"],
  email: ["islands/email.ts", "asks whether a mistyped e-mail was meant otherwise"],
  address: ["islands/address.ts", "writes a CEP, fills in its state and city, and tells what contradicts it"],
  card: ["islands/card.ts", "groups card numbers and shows their brand"],
  splitter: ["islands/splitter.ts", "keeps the amounts of several cards adding up"],
  live: ["islands/live.ts", "follows a payment until it ends"],
  payment: ["islands/payment.ts", "copies, prints and announces"],
  device: ["islands/device.ts", "shows a bank's hidden page and goes on when it is over"],
  captcha: ["islands/captcha.ts", "asks for a challenge and hands it to the solver"],
  solver: ["captcha/solver.worker.ts", "solves the challenge in a worker"],
  "captcha-frame": ["islands/captcha-frame.ts", "shows the widget of a captcha service in its own frame"],
  embed: ["embed-bridge.ts", "tells the shop's page the size and the outcome"],
  site: ["islands/shop-site.ts", "shows the checkout on the shop's own page; handed out as /embed.js"],
} as const;

export interface Island {
  readonly file: string;
  readonly sha384: string;
  readonly bytes: number;
  readonly reason: string;
  readonly owner: string;
}

const SOURCES = inRoot("components", "checkout");
const FOLDER = inRoot("public", "checkout");
const HASH_CHARACTERS = 12;
/** Servers of other builds may still hand these out. */
const KEPT_MS = 7 * 86_400_000;

/** Quick enough for every start: the names follow from the contents, so nothing changes that was not changed. */
export async function buildIslands(): Promise<void> {
  mkdirSync(FOLDER, { recursive: true });
  const inventory: Record<string, Island> = {};
  for (const [name, code, reason] of await compiled()) {
    const sha384 = createHash("sha384").update(code).digest("base64");
    const file = `${name}.${createHash("sha256").update(code).digest("hex").slice(0, HASH_CHARACTERS)}.js`;
    put(file, code);
    inventory[name] = { file, sha384: `sha384-${sha384}`, bytes: code.length, reason, owner: "checkout" };
  }
  put("inventory.json", Buffer.from(`${JSON.stringify(inventory, null, 2)}\n`));
  deleteOutdated(new Set(Object.values(inventory).map(({ file }) => file)));
}

export async function compiled(): Promise<[name: string, code: Buffer, reason: string][]> {
  const made: [string, Buffer, string][] = [];
  for (const [name, [source, reason]] of Object.entries(ISLANDS)) {
    made.push([name, await bundle(join(SOURCES, source)), reason]);
  }
  return made;
}

/** `safari 16.4` as the rest of the product says it, `safari16.4` as the compiler wants it. */
export function oldestBrowsers(): string[] {
  const { browserslist } = JSON.parse(readFileSync(inRoot("package.json"), "utf8")) as { browserslist: string[] };
  return browserslist.map((browser) => browser.replace(" ", ""));
}

async function bundle(entry: string): Promise<Buffer> {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    format: "esm",
    target: oldestBrowsers(),
    charset: "utf8",
    legalComments: "none",
    write: false,
    logLevel: "warning",
    tsconfig: inRoot("tsconfig.json"),
  });
  const [file] = outputFiles;
  if (!file) throw new Error(`${entry} gave nothing`);
  return Buffer.from(file.contents);
}

/** Written beside and renamed, so that a server never reads half a file. */
function put(file: string, content: Buffer): void {
  const path = join(FOLDER, file);
  if (file !== "inventory.json" && existsSync(path)) return;
  const half = `${path}.${process.pid}`;
  writeFileSync(half, content);
  renameSync(half, path);
}

function deleteOutdated(current: ReadonlySet<string>): void {
  for (const name of readdirSync(FOLDER)) {
    if (name === "inventory.json" || current.has(name)) continue;
    const { mtimeMs } = statSync(join(FOLDER, name), { throwIfNoEntry: false }) ?? { mtimeMs: Date.now() };
    if (Date.now() - mtimeMs > KEPT_MS) rmSync(join(FOLDER, name), { force: true });
  }
}

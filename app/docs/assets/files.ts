import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const NODE_MODULES = join(process.cwd(), "node_modules");
const OURS = join(process.cwd(), "app", "docs", "assets");
const DIGEST_CHARS = 12;

const FILES = {
  "viewer.js": {
    path: join(NODE_MODULES, "@scalar/api-reference/dist/browser/standalone.js"),
    type: "text/javascript; charset=utf-8",
  },
  "reference.js": { path: join(OURS, "reference-client.js"), type: "text/javascript; charset=utf-8" },
  "reference.css": { path: join(OURS, "reference.css"), type: "text/css; charset=utf-8" },
  "guide.css": {
    path: join(process.cwd(), "app", "docs", "webhooks", "guide.css"),
    type: "text/css; charset=utf-8",
  },
  "purchases.css": { path: join(OURS, "purchases.css"), type: "text/css; charset=utf-8" },
  "inter.woff2": {
    path: join(NODE_MODULES, "@fontsource-variable/inter/files/inter-latin-opsz-normal.woff2"),
    type: "font/woff2",
  },
} as const;
type AssetName = keyof typeof FILES;

export interface Asset {
  type: string;
  content: Buffer<ArrayBuffer>;
}

const isAssetName = (name: string): name is AssetName => Object.hasOwn(FILES, name);
const loaded = new Map<AssetName, Asset & { digest: string }>();

/** The digest of the content is part of the address, so browsers keep it for good. */
export const assetPath = (name: AssetName): string => `/docs/assets/${load(name).digest}-${name}`;

export function findAsset(file: string): Asset | undefined {
  const [digest = "", ...rest] = file.split("-");
  const name = rest.join("-");
  if (!isAssetName(name)) return undefined;
  const asset = load(name);
  return asset.digest === digest ? asset : undefined;
}

function load(name: AssetName): Asset & { digest: string } {
  const kept = loaded.get(name);
  if (kept) return kept;
  const { path, type } = FILES[name];
  const content = Buffer.from(
    name === "reference.css" ? styleSheet(path) : readFileSync(/* turbopackIgnore: true */ path),
  );
  const digest = createHash("sha256").update(content).digest("hex").slice(0, DIGEST_CHARS);
  const asset = { type, content, digest };
  loaded.set(name, asset);
  return asset;
}

/** The font is asked for under its own lasting address. */
const styleSheet = (path: string): string =>
  readFileSync(/* turbopackIgnore: true */ path, "utf8").replace("./inter.woff2", assetPath("inter.woff2"));

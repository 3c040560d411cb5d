import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { z } from "zod";

const ENTRY = "lib/purchases/model/explorations.ts";
/** The tables that these name are only referred to: of the schema, nothing but the purchase's words are explored. */
const IS_EXPLORED = (file: string): boolean => !file.startsWith("db/schema/") || file === "db/schema/purchases.ts";
const root = process.cwd();
const FILE = join(root, "proof", "model.json");

const keptResult = z.object({
  /** Of the sources below: SHA-256, hexadecimal. */
  hash: z.string(),
  sources: z.array(z.string()),
  explored: z.array(z.object({ name: z.string(), states: z.int(), edges: z.int() })),
  mistakesFound: z.int(),
});
export type KeptResult = z.infer<typeof keptResult>;

/** What was explored last, and of which sources. */
export const readKeptResult = (): KeptResult | undefined =>
  existsSync(FILE) ? keptResult.parse(JSON.parse(readFileSync(FILE, "utf8"))) : undefined;

export const keep = (result: KeptResult): void => writeFileSync(FILE, `${JSON.stringify(result, null, 2)}\n`);

/** The files that the explorations are made of, and their common hash: while it stands, their result does. */
export async function exploredSources(): Promise<Pick<KeptResult, "hash" | "sources">> {
  const { metafile } = await build({
    entryPoints: [join(root, ENTRY)],
    absWorkingDir: root,
    alias: { "@": root },
    bundle: true,
    write: false,
    metafile: true,
    platform: "node",
    format: "esm",
    packages: "external",
    logLevel: "error",
  });
  const sources = Object.keys(metafile.inputs).filter(IS_EXPLORED).sort();
  const hash = createHash("sha256");
  for (const file of sources) hash.update(`${file}\n`).update(readFileSync(join(root, file)));
  return { hash: hash.digest("hex"), sources };
}

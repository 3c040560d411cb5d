import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { env } from "@/lib/env";

/** The scripts of the checkout as the build made them: file, digest, what each is for. */
const inventory = z.record(z.string(), z.object({ file: z.string(), sha384: z.string() }));
export type Inventory = z.output<typeof inventory>;

let kept: Inventory | undefined;

/** Made before the server starts; in development the scripts change under it. */
export function readInventory(): Inventory {
  if (kept && env().NODE_ENV === "production") return kept;
  const text = readFileSync(join(process.cwd(), "public", "checkout", "inventory.json"), "utf8");
  kept = inventory.parse(JSON.parse(text));
  return kept;
}

export const SCRIPTS_PATH = "/checkout/";

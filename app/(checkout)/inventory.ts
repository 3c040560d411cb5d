import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { env } from "@/lib/env";

const inventory = z.record(z.string(), z.object({ file: z.string() }));

let kept: Record<string, { file: string }> | undefined;

/** Made before the server starts; in development the scripts change under it. */
function read(): Record<string, { file: string }> {
  if (kept && env().NODE_ENV === "production") return kept;
  const text = readFileSync(join(process.cwd(), "public", "checkout", "inventory.json"), "utf8");
  kept = inventory.parse(JSON.parse(text));
  return kept;
}

/** The address of one of the checkout's scripts. */
export function scriptAddress(name: string): string {
  const found = read()[name];
  if (!found) throw new Error(`the checkout has no script ${name}`);
  return `/checkout/${found.file}`;
}

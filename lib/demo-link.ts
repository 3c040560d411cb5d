import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

const demo = z.object({ sessionId: z.uuid().optional() });

/** The payment link that the first start of an installation made to be tried; undefined where there is none. */
export function demoSessionId(dataDir: string): string | undefined {
  const file = join(dataDir, "demo.json");
  if (!existsSync(file)) return undefined;
  return demo.safeParse(JSON.parse(readFileSync(file, "utf8"))).data?.sessionId;
}

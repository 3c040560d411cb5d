import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

const demo = z.object({
  baseUrl: z.string(),
  clientId: z.string(),
  apiKey: z.string(),
  merchantId: z.string(),
  /** The payment link to try; installations of an earlier start have none. */
  sessionId: z.string().optional(),
  dashboard: z.object({ email: z.string(), password: z.string() }),
});
export type Demo = z.infer<typeof demo>;

const fileIn = (dataDir: string): string => join(dataDir, "demo.json");

/** The credentials of the first account, for as long as somebody keeps the file. */
export function readDemo(dataDir: string): Demo | undefined {
  const file = fileIn(dataDir);
  if (!existsSync(file)) return undefined;
  const parsed = demo.safeParse(JSON.parse(readFileSync(file, "utf8")));
  return parsed.success ? parsed.data : undefined;
}

export function writeDemo(dataDir: string, content: Demo): void {
  const file = fileIn(dataDir);
  writeFileSync(`${file}.new`, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

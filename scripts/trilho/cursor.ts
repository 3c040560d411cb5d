import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { Credentials } from "@/scripts/trilho/credentials";

const cursor = z.object({
  name: z.string(),
  webhookId: z.string().optional(),
  /** The newest event that was taken, by its moment on the account's clock. */
  lastEventId: z.string().optional(),
  lastEventAt: z.string().optional(),
  taken: z.number(),
});
/** Where a listener stands. The server knows it delivery by delivery; this finds the listener again, or replaces it. */
export type Cursor = z.infer<typeof cursor>;

const file = z.record(z.string(), cursor);
const NAME_BYTES = 3;

const pathIn = ({ dataDir }: Credentials): string => join(dataDir, "listeners.json");
const keyOf = ({ baseUrl, clientId }: Credentials, name: string | undefined): string =>
  [baseUrl, clientId, ...(name ? [name] : [])].join(" ");

function readAll(who: Credentials): z.infer<typeof file> {
  try {
    return file.parse(JSON.parse(readFileSync(pathIn(who), "utf8")));
  } catch {
    return {};
  }
}

export const readCursor = (who: Credentials, name: string | undefined): Cursor =>
  readAll(who)[keyOf(who, name)] ?? { name: name ?? `cli-${randomBytes(NAME_BYTES).toString("hex")}`, taken: 0 };

export function writeCursor(who: Credentials, name: string | undefined, now: Cursor): void {
  mkdirSync(who.dataDir, { recursive: true });
  const path = pathIn(who);
  writeFileSync(`${path}.new`, `${JSON.stringify({ ...readAll(who), [keyOf(who, name)]: now }, null, 2)}\n`, {
    mode: 0o600,
  });
  renameSync(`${path}.new`, path);
}

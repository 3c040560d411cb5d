import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { systemDb } from "@/db/client";
import { insertMany } from "@/db/column-sets";
import { outbox } from "@/db/schema/outbox";
import { newId } from "@/lib/ids";

/** Signs that mean something in an array, and words that mean nothing in one. */
const WORDS = ["", " ", "NULL", "null", "a,b", '{"}', "\\", "it's", "São João", "line\nbreak", "2026-11-26"];

test("many rows come back as they were written, whatever they hold", async () => {
  const clientId = newId();
  const rows = WORDS.map((name, index) => ({
    id: newId(),
    clientId,
    name,
    data: { text: name, parts: [index, null, index % 2 === 0] },
    createdAt: new Date(Date.UTC(2026, 10, 26, 3, 4, 5, index)),
    relayedAt: index % 3 === 0 ? null : new Date(Date.UTC(2026, 10, 27)),
  }));
  await insertMany(systemDb(), outbox, rows);
  const kept = await systemDb().select().from(outbox).where(eq(outbox.clientId, clientId)).orderBy(outbox.createdAt);
  expect(kept).toEqual(rows);
  await insertMany(systemDb(), outbox, []);
});

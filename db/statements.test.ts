import { eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { systemDb } from "@/db/client";
import { idempotencyKeys } from "@/db/schema/accounts";
import { cardTokens } from "@/db/schema/customers";
import { dueJobs, events, outbox } from "@/db/schema/outbox";
import { findRows, insertReturning, insertRows, updateReturning, updateRows } from "@/db/statements";
import { newId } from "@/lib/ids";
import { realNow } from "@/lib/time";

const at = new Date("2026-02-03T04:05:06.789Z");
const event = () => ({
  id: newId(),
  clientId: newId(),
  object: "transaction",
  event: "failed",
  entityId: newId(),
  entityVersion: 1,
  body: Buffer.from([0, 255, 92, 39]),
  createdAt: at,
});
const job = (refId: string) => ({
  id: newId(),
  clientId: newId(),
  kind: "attempt.query",
  refId,
  dueAt: at,
  createdAt: at,
});

describe("a kept statement", () => {
  test("stores and answers what the query builder stores and answers, column by column", async () => {
    const given = event();
    const [stored] = await insertReturning(systemDb(), events, [given]);
    const [read] = await systemDb().select().from(events).where(eq(events.id, given.id));
    expect(stored).toEqual(read);
    expect(stored).toEqual({ ...given, fannedOutAt: null });
  });

  test("writes several rows of one shape, and another shape after it", async () => {
    const [one, two, three] = [event(), event(), { ...event(), fannedOutAt: at }];
    await insertRows(systemDb(), events, [one, two]);
    await insertRows(systemDb(), events, [three]);
    for (const given of [one, two]) {
      expect(await findRows(systemDb(), events, { id: given.id })).toEqual([{ ...given, fannedOutAt: null }]);
    }
    expect(await findRows(systemDb(), events, { id: three.id })).toEqual([three]);
  });

  test("with skip leaves a row alone that is there already", async () => {
    const first = job(newId());
    const second = job(first.refId);
    expect(await insertReturning(systemDb(), dueJobs, [first], { skip: true })).toHaveLength(1);
    expect(await insertReturning(systemDb(), dueJobs, [second], { skip: true })).toEqual([]);
    await expect(insertReturning(systemDb(), dueJobs, [job(first.refId)])).rejects.toThrow();
  });

  test("leaves what is undefined to the column's default", async () => {
    const [stored] = await insertReturning(systemDb(), dueJobs, [{ ...job(newId()), attempts: undefined }]);
    expect(stored).toMatchObject({ attempts: 0, wakeAt: null });
  });

  test("writes a JSON value as JSON and null as no value", async () => {
    const row = { id: newId(), clientId: newId(), name: "a/b", data: { text: "ç'\"", list: [1, null] }, createdAt: at };
    await insertRows(systemDb(), outbox, [row]);
    expect(await findRows(systemDb(), outbox, { id: row.id })).toEqual([{ ...row, relayedAt: null }]);
    const [missing] = await systemDb().execute(
      sql`select relayed_at is null as missing from outbox where id = ${row.id}`,
    );
    expect(missing).toEqual({ missing: true });
  });

  test("changes only rows that are equal in every column asked for, null included", async () => {
    const given = job(newId());
    await insertRows(systemDb(), dueJobs, [given]);
    const wake = { id: given.id, wakeAt: null };
    expect(await updateReturning(systemDb(), dueJobs, { wakeAt: at }, wake)).toMatchObject([
      { ...given, wakeAt: at, attempts: 0, leaseUntil: null },
    ]);
    expect(await updateReturning(systemDb(), dueJobs, { wakeAt: realNow() }, wake)).toEqual([]);
    await updateRows(systemDb(), dueJobs, { wakeAt: null }, { id: given.id, wakeAt: at });
    expect(await findRows(systemDb(), dueJobs, { id: given.id, wakeAt: null })).toHaveLength(1);
  });

  const PAST = sql`now() - interval '1 hour'`;
  const LIVES = sql`${cardTokens.expiresAt} > now()`;

  test("takes constant expressions as values and as a further condition", async () => {
    const token = { id: newId(), clientId: newId(), kind: "cvv" as const, createdAt: at };
    await insertRows(systemDb(), cardTokens, [{ ...token, expiresAt: PAST }]);
    expect(await findRows(systemDb(), cardTokens, { id: token.id })).toHaveLength(1);
    expect(await findRows(systemDb(), cardTokens, { id: token.id }, { condition: LIVES })).toEqual([]);
  });

  test("refuses expressions that are made anew with each use", async () => {
    const use = async () => {
      for (let index = 0; index < 150; index++) {
        await findRows(systemDb(), idempotencyKeys, { key: "none" }, { condition: sql`${index} = 0` });
      }
    };
    await expect(use()).rejects.toThrow(/not a constant/);
  });
});

import { expect, test } from "vitest";
import { inTransaction } from "@/lib/context";
import { answering, bytesOf, claimKey } from "@/lib/idempotency";
import { newId } from "@/lib/ids";
import { openClient } from "@/lib/testing/api";
import { ownerSql } from "@/lib/testing/fuzz/tenancy";
import { addSeconds, DAY_SECONDS, realNow } from "@/lib/time";

const key = { namespace: newId(), key: "one" };
const object = { id: newId(), words: "x".repeat(300) };
const answer = { status: 201, body: { ...object, error: { code: 402 } } };
const sent = bytesOf(answer);
const eventAt = (at: Date) => ({
  id: newId(),
  at,
  body: Buffer.from(JSON.stringify({ object: "transaction", data: { ...object, requestId: newId() } })),
});
const buffersIn = (values: readonly unknown[]) => values.filter((value) => Buffer.isBuffer(value));
const kept = (...given: [] | [ReturnType<typeof eventAt>]) =>
  answering(newId(), key, answer, realNow(), ...given).values;

test("an answer keeps only how it goes on where an event of its statement begins as it does", () => {
  const event = eventAt(realNow());
  const values = kept(event);
  const [rest = Buffer.alloc(0)] = buffersIn(values);
  const [from, length] = values.filter((value) => typeof value === "number").slice(1);
  expect(values).toContain(event.id);
  expect(rest.toString()).toBe('error":{"code":402}}');
  expect(Buffer.concat([event.body.subarray(from, (from ?? 0) + (length ?? 0)), rest])).toEqual(sent.body);
});

test("it is kept whole where the event would be gone before it, or says something else", () => {
  expect(buffersIn(kept(eventAt(addSeconds(realNow(), -60 * DAY_SECONDS))))).toEqual([sent.body]);
  expect(buffersIn(kept({ ...eventAt(realNow()), body: Buffer.from('{"data":{"id":"another"}}') }))).toEqual([
    sent.body,
  ]);
  expect(buffersIn(kept())).toEqual([sent.body]);
});

test("a key that is freed between the claim and the look at it is nobody's: the request is asked to come again", async () => {
  const client = await openClient();
  const ctx = await client.context();
  const sql = ownerSql();
  // The claim meets a row that the look no longer finds.
  await sql.unsafe(`
    create function freed() returns trigger language plpgsql as 'begin return null; end';
    create trigger freed before insert on idempotency_keys for each row when (new.key = 'freed') execute function freed()`);
  try {
    const request = {
      ...{ namespace: newId(), key: "freed", method: "POST", path: "/v1/settings", kind: "settings.create" },
      ...{ fingerprint: Buffer.alloc(32), isKept: false },
    };
    await expect(
      inTransaction(ctx, (inside) => claimKey(inside.db, client.clientId, request, undefined, realNow())),
    ).rejects.toMatchObject({ businessCode: "idempotency_key_in_progress" });
  } finally {
    await sql.unsafe("drop trigger freed on idempotency_keys; drop function freed()");
    await sql.end();
  }
});

import { expect, test } from "vitest";
import { answering } from "@/lib/idempotency";
import { newId } from "@/lib/ids";
import { addSeconds, DAY_SECONDS, realNow } from "@/lib/time";

const key = { namespace: newId(), key: "one" };
const object = { id: newId(), words: "x".repeat(300) };
const sent = { status: 201, body: Buffer.from(JSON.stringify({ ...object, error: { code: 402 } })) };
const eventAt = (at: Date) => ({
  id: newId(),
  at,
  body: Buffer.from(JSON.stringify({ object: "transaction", data: { ...object, requestId: newId() } })),
});
const bytesOf = (values: readonly unknown[]) => values.filter((value) => Buffer.isBuffer(value));
const kept = (...given: [] | [ReturnType<typeof eventAt>]) => answering(newId(), key, sent, realNow(), ...given).values;

test("an answer keeps only how it goes on where an event of its statement begins as it does", () => {
  const event = eventAt(realNow());
  const values = kept(event);
  const [rest = Buffer.alloc(0)] = bytesOf(values);
  const [from, length] = values.filter((value) => typeof value === "number").slice(1);
  expect(values).toContain(event.id);
  expect(rest.toString()).toBe('error":{"code":402}}');
  expect(Buffer.concat([event.body.subarray(from, (from ?? 0) + (length ?? 0)), rest])).toEqual(sent.body);
});

test("it is kept whole where the event would be gone before it, or says something else", () => {
  expect(bytesOf(kept(eventAt(addSeconds(realNow(), -60 * DAY_SECONDS))))).toEqual([sent.body]);
  expect(bytesOf(kept({ ...eventAt(realNow()), body: Buffer.from('{"data":{"id":"another"}}') }))).toEqual([sent.body]);
  expect(bytesOf(kept())).toEqual([sent.body]);
});

import { expect, test } from "vitest";
import { z } from "zod";
import { systemSql } from "@/db/client";
import type { Context } from "@/lib/context";
import { fingerprintOf } from "@/lib/idempotency";
import { answerOnce, LEASE_SECONDS } from "@/lib/providers/sandbox/api/in-band";
import { aKey, openClient } from "@/lib/testing/api";

const PATH = "/v1/sandbox/pix/x/pay";
const reply = z.object({ done: z.string() });

async function keyed(): Promise<Context> {
  const ctx = await (await openClient()).context();
  const key = { namespace: ctx.account.id, key: aKey(), method: "POST", path: PATH, kind: "sandbox", isKept: false };
  return { ...ctx, idempotency: { ...key, fingerprint: fingerprintOf("POST", PATH, {}) } };
}

async function secondsLeft({ idempotency }: Context): Promise<number> {
  const [row] = await systemSql()<{ seconds: number }[]>`
    select extract(epoch from lease_until - now())::float8 as seconds from idempotency_keys where key = ${idempotency?.key ?? ""}`;
  return row?.seconds ?? Number.NaN;
}

const letLapse = ({ idempotency }: Context) =>
  systemSql()`update idempotency_keys set lease_until = now() - interval '1 second' where key = ${idempotency?.key ?? ""}`;

test("the key of a tool at work is its own, by a lease that it renews", { timeout: 30_000 }, async () => {
  const ctx = await keyed();
  let finish = (_: { done: string }): void => undefined;
  const work = new Promise<{ done: string }>((resolve) => {
    finish = resolve;
  });
  const first = answerOnce(ctx, reply, () => work);
  await expect.poll(() => secondsLeft(ctx)).toBeGreaterThan(0);
  expect(await secondsLeft(ctx)).toBeLessThanOrEqual(LEASE_SECONDS);
  await expect(answerOnce(ctx, reply, () => work)).rejects.toMatchObject({
    businessCode: "idempotency_key_in_progress",
  });
  await letLapse(ctx);
  await expect.poll(() => secondsLeft(ctx), { timeout: 10_000 }).toBeGreaterThan(0);
  finish({ done: "first" });
  const { body } = await first;
  await expect(answerOnce(ctx, reply, () => Promise.reject(new Error("never again")))).rejects.toMatchObject({
    answer: { body },
    replayed: true,
  });
});

test("a tool whose process died keeps nobody waiting longer than its lease", async () => {
  const ctx = await keyed();
  const dies = answerOnce(ctx, reply, () => new Promise<never>(() => undefined));
  void dies;
  await expect.poll(() => secondsLeft(ctx)).toBeLessThanOrEqual(LEASE_SECONDS);
  await letLapse(ctx);
  const again = await answerOnce(ctx, reply, async () => ({ done: "second" }));
  expect(String(again.body)).toBe('{"done":"second"}');
});

import { expect, test } from "vitest";
import { systemSql } from "@/db/client";
import type { Context } from "@/lib/context";
import { heldOnce, LEASE_SECONDS } from "@/lib/http/held";
import { requestFingerprint } from "@/lib/idempotency";
import { newId } from "@/lib/ids";
import { aKey, openClient } from "@/lib/testing/api";

const PATH = "/v1/sandbox/pix/x/pay";
const said = (by: string) => ({ status: 200, body: { by } });
type Said = ReturnType<typeof said>;
/** The same request once more, as another process has it. */
const again = (ctx: Context): Context => ({ ...ctx, requestId: newId() });

async function keyed(): Promise<Context> {
  const ctx = await (await openClient()).context();
  const key = { namespace: ctx.account.id, key: aKey(), method: "POST", path: PATH, kind: "sandbox", isKept: false };
  return { ...ctx, idempotency: { ...key, fingerprint: requestFingerprint("POST", PATH, {}) } };
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
  let finish = (_: Said): void => undefined;
  const work = new Promise<Said>((resolve) => {
    finish = resolve;
  });
  const first = heldOnce(ctx, () => work);
  await expect.poll(() => secondsLeft(ctx)).toBeGreaterThan(0);
  expect(await secondsLeft(ctx)).toBeLessThanOrEqual(LEASE_SECONDS);
  await expect(heldOnce(again(ctx), () => work)).rejects.toMatchObject({
    businessCode: "idempotency_key_in_progress",
  });
  await letLapse(ctx);
  await expect.poll(() => secondsLeft(ctx), { timeout: 10_000 }).toBeGreaterThan(0);
  finish(said("first"));
  const { body } = await first;
  await expect(heldOnce(again(ctx), () => Promise.reject(new Error("never again")))).rejects.toMatchObject({
    answer: { body },
    replayed: true,
  });
});

test("a tool whose process died keeps nobody waiting longer than its lease", async () => {
  const ctx = await keyed();
  const dies = heldOnce(ctx, () => new Promise<never>(() => undefined));
  void dies;
  await expect.poll(() => secondsLeft(ctx)).toBeLessThanOrEqual(LEASE_SECONDS);
  await letLapse(ctx);
  const second = await heldOnce(again(ctx), async () => said("second"));
  expect(JSON.parse(String(second.body))).toEqual({ by: "second" });
});

test("whoever was overtaken neither answers nor frees the key of its successor, and answers what that one did", async () => {
  const answered = await keyed();
  let finish = (_: Said): void => undefined;
  const late = heldOnce(answered, () => new Promise<Said>((resolve) => (finish = resolve)));
  await expect.poll(() => secondsLeft(answered)).toBeGreaterThan(0);
  await letLapse(answered);
  await heldOnce(again(answered), async () => said("second"));
  finish(said("first"));
  expect(JSON.parse(String((await late).body))).toEqual({ by: "second" });

  const refused = await keyed();
  let refuse = (_: Error): void => undefined;
  const failing = heldOnce(refused, () => new Promise<Said>((_, reject) => (refuse = reject)));
  await expect.poll(() => secondsLeft(refused)).toBeGreaterThan(0);
  await letLapse(refused);
  let end = (_: Said): void => undefined;
  const successor = heldOnce(again(refused), () => new Promise<Said>((resolve) => (end = resolve)));
  await expect.poll(() => secondsLeft(refused)).toBeGreaterThan(0);
  refuse(new Error("too late"));
  await expect(failing).rejects.toThrow("too late");
  end(said("second"));
  await successor;
  await expect(heldOnce(again(refused), () => Promise.reject(new Error("never again")))).rejects.toMatchObject({
    answer: { body: Buffer.from('{"by":"second"}') },
  });
});

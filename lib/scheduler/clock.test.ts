import { describe, expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { claimOf, type DueJob, isAwaited } from "@/lib/due-jobs/claim";
import { newId } from "@/lib/ids";
import { openShop } from "@/lib/providers/sandbox/api/testing";
import { moveClock } from "@/lib/scheduler/clock";
import { recoverCharges } from "@/lib/scheduler/recover";
import { addSeconds } from "@/lib/time";

const jobOf = async (chargeId: string) => {
  const [job] = await systemSql()<{ due_at: Date; wake_at: Date | null }[]>`
    select due_at, wake_at from due_jobs where ref_id = ${chargeId} and kind = 'charge.expire'`;
  return job;
};

describe("the test clock", () => {
  test("of many accounts moves at once, and many moves of one clock follow each other", async () => {
    const shops = await Promise.all(Array.from({ length: 8 }, () => openShop()));
    const [one] = shops;
    if (!one) throw new Error("eight shops were opened");
    const pix = await Promise.all(shops.map((shop) => shop.pix()));
    const contexts = await Promise.all(shops.map((shop) => shop.context()));
    const byDay = { to: (present: Date) => addSeconds(present, 86_400), freeze: true };
    await Promise.all([
      ...contexts.map((ctx) => moveClock(ctx, byDay)),
      ...Array.from({ length: 8 }, () => one.context().then((ctx) => moveClock(ctx, byDay))),
    ]);
    const statuses = await Promise.all(
      shops.map(async (shop, index) => (await shop.charge(pix[index]?.id ?? "")).status),
    );
    expect(new Set(statuses)).toEqual(new Set(["canceled"]));
    const clock = await one.make<{ offsetSeconds: number }>("GET", "/v1/sandbox/clock");
    expect(Math.round(clock.offsetSeconds / 86_400)).toBe(9);
  });

  test("follows no moment that moved behind its end while the move waited for it", async () => {
    const shop = await openShop();
    await shop.pix();
    const end = addSeconds(new Date(), 86_400);
    const claimed = await systemSql().begin(async (tx) => {
      const [self] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`;
      await tx`update due_jobs set due_at = ${addSeconds(end, 3_600)}, epoch = epoch + 1
                where client_id = ${shop.clientId}`;
      const claiming = claimOf(shop.clientId, end);
      const isBlocked = async () =>
        (await systemSql()`select 1 from pg_stat_activity where ${self?.pid ?? 0} = any(pg_blocking_pids(pid))`).length;
      await expect.poll(isBlocked, { timeout: 8_000, interval: 20 }).toBe(1);
      return { claiming };
    });
    expect(await claimed.claiming).toBeUndefined();
    expect(await isAwaited(shop.clientId, end, [])).toBe(false);
  });

  test("puts a job off and takes the next in one step, in the order of their moments, unless somebody moved it", async () => {
    const [account, start] = [newId(), new Date()];
    const at = (hours: number) => addSeconds(start, hours * 3_600);
    const sql = systemSql();
    const [own, other] = [newId(), newId()];
    for (const [id, hours] of [[own, 1] as const, [other, 3] as const]) {
      await sql`insert into due_jobs (id, client_id, kind, ref_id, lane, due_at, created_at)
                values (${id}, ${account}, 'merchant.day', ${id}, 'bookkeeping', ${at(hours)}, now())`;
    }
    const rowOf = async (id: string) =>
      (await sql`select due_at, attempts, lease_until from due_jobs where id = ${id}`)[0];
    const next = async (until: number, job?: DueJob, again?: number) => {
      const ended = job && { job, ...(again !== undefined && { again: { dueAt: at(again), wakeAt: null } }) };
      const claimed = await claimOf(account, at(until), { ended });
      if (!claimed) throw new Error("something is due");
      return claimed;
    };
    const first = await next(9);
    expect([first.id, first.attempts]).toEqual([own, 1]);
    const again = await next(9, first, 2);
    expect([again.id, again.due_at, again.attempts]).toEqual([own, at(2), 1]);
    const another = await next(9, again, 4);
    expect(another.id).toBe(other);
    expect(await rowOf(own)).toEqual({ due_at: at(4), attempts: 0, lease_until: null });
    const last = await next(9, another);
    expect([last.id, last.due_at]).toEqual([own, at(4)]);
    expect(await rowOf(other)).toBeUndefined();
    expect(
      await claimOf(account, at(9), { ended: { job: last, again: { dueAt: at(20), wakeAt: null } } }),
    ).toBeUndefined();
    expect(await rowOf(own)).toEqual({ due_at: at(20), attempts: 0, lease_until: null });
    const moved = await next(30);
    await sql`update due_jobs set due_at = ${at(25)}, lease_until = null, epoch = epoch + 1 where id = ${own}`;
    expect((await next(30, moved, 28)).due_at).toEqual(at(25));
  });

  test("that was cut off in the middle of a move gives its jobs their real moments with the next sweep", async () => {
    const [running, stopped] = await Promise.all([openShop(), openShop()]);
    await stopped.make("POST", "/v1/sandbox/clock", { body: { freeze: true } });
    const [first, second] = [await running.pix(), await stopped.pix()];
    await systemSql()`update due_jobs set wake_at = null where client_id in (${running.clientId}, ${stopped.clientId})`;
    await recoverCharges();
    const [woken, asleep] = [await jobOf(first.id), await jobOf(second.id)];
    expect(woken?.wake_at).toEqual(woken?.due_at);
    expect(asleep?.wake_at).toBeNull();
  });

  test("set close to a moment tells the engine, which would look too late by itself", async () => {
    const shop = await openShop();
    await shop.pix();
    await systemSql()`delete from outbox where client_id = ${shop.clientId}`;
    await shop.advance("PT59M30S");
    const told = await systemSql()<{ name: string }[]>`select name from outbox where client_id = ${shop.clientId}`;
    expect(told.map(({ name }) => name)).toEqual(["jobs/due.soon"]);
  });
});

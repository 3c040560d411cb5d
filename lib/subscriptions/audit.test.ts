import postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newId } from "@/lib/ids";
import { SUBSCRIPTION_INVARIANTS } from "@/lib/invariants/subscriptions";
import { testDatabaseUrl } from "@/lib/testing/database";
import { type Club, openClub, type SubscriptionReply } from "@/lib/testing/subscriptions";

let owner: postgres.Sql;
let club: Club;
let paid: SubscriptionReply;
let retried: SubscriptionReply;
let ended: SubscriptionReply;
let banked: SubscriptionReply;
beforeAll(async () => {
  owner = postgres(await testDatabaseUrl(), { max: 1, onnotice: () => undefined });
  club = await openClub("2027-01-31T10:00:00Z");
  const card = await club.card();
  paid = (await club.subscribe({ recurrence: { interval: "weekly", cycles: 5 } })).body;
  retried = (await club.subscribe({ card, recurrence: { interval: "weekly" } })).body;
  ended = (await club.subscribe({ recurrence: { interval: "weekly", cycles: 1 } })).body;
  const paymentMethod = { type: "pix_automatic", journey: "qr" };
  const recurrence = { interval: "weekly", startAt: "2027-02-07" };
  banked = (await club.subscribe({ paymentMethod, recurrence })).body;
  await club.script(card, "outcome=106;times=0");
  await club.to("2027-02-09T10:00:00Z");
}, 60_000);
afterAll(() => owner.end());

/** What a hand in the database could leave; each names the subscription it breaks, and is undone with its transaction. */
const DAMAGES: Readonly<Record<string, (sql: postgres.TransactionSql) => Promise<string>>> = {
  P26: async (sql) => {
    await sql`update subscription_cycles set cycle = 7 where subscription_id = ${paid.id} and cycle = 1`;
    return paid.id;
  },
  P27: async (sql) => {
    await sql`
      insert into subscription_tries (id, client_id, subscription_id, cycle_id, number, kind, status, actor, revision, created_at)
      select ${newId()}::uuid, client_id, subscription_id, cycle_id, 9, 'manual', 'failed', 'system', 900, created_at
        from subscription_tries where subscription_id = ${paid.id} and status = 'authorized' limit 1`;
    return paid.id;
  },
  P28: async (sql) => {
    await sql`update subscription_cycles set due_on = due_on + 1 where subscription_id = ${paid.id} and cycle = 2`;
    return paid.id;
  },
  P29: async (sql) => {
    await sql`update subscription_changes set to_status = 'paused' where subscription_id = ${paid.id} and fact = 'charge.approved'`;
    return paid.id;
  },
  P30: async (sql) => {
    await sql`delete from due_jobs where kind = 'subscription.retry' and ref_id in (
      select id from subscription_cycles where subscription_id = ${retried.id})`;
    return retried.id;
  },
  P31: async (sql) => {
    await sql`update subscription_cycles set policy = '{}' where subscription_id = ${retried.id} and status = 'retrying'`;
    return retried.id;
  },
  P32: async (sql) => {
    await sql`update subscriptions set cycles = 2 where id = ${ended.id}`;
    return ended.id;
  },
  P33: async (sql) => {
    await sql`update subscriptions set status = 'paused' where id = ${paid.id}`;
    return paid.id;
  },
  P37: async (sql) => {
    await sql`update subscription_mandates set amount = amount + 1 where subscription_id = ${banked.id}`;
    return banked.id;
  },
  P38: async (sql) => {
    await sql`update subscription_tries set kind = 'retry' where subscription_id = ${banked.id} and status = 'authorized'`;
    return banked.id;
  },
  P39: async (sql) => {
    await sql`update subscriptions set status = 'canceled', next_due_on = null where id = ${banked.id}`;
    return banked.id;
  },
};

test("all hold over subscriptions that were paid by card and by bank, retried and ended, for the client and for the audit", async () => {
  expect(await club.read(retried.id)).toMatchObject({ lastCycle: { cycle: 2, status: "retrying", attempts: 2 } });
  const { invariants } = await club.client.make<{ invariants: { id: string; checked: number; violations: number }[] }>(
    "GET",
    "/v1/invariants",
  );
  const own = invariants.filter(({ id }) => SUBSCRIPTION_INVARIANTS.some((one) => one.id === id));
  expect(own.map(({ id, checked, violations }) => [id, checked, violations])).toEqual(
    SUBSCRIPTION_INVARIANTS.map(({ id }) => [id, 4, 0]),
  );
});

test.each(SUBSCRIPTION_INVARIANTS)("$id tells the row that was damaged, and no other", async ({ id, sql: broken }) => {
  const undone = new Error("undone");
  const seen: { damaged?: string; told?: string[] } = {};
  await owner
    .begin(async (sql) => {
      await sql`set local session_replication_role = replica`;
      const damaged = await DAMAGES[id]?.(sql);
      if (damaged) seen.damaged = damaged;
      const rows = await sql.unsafe<{ id: string }[]>(
        `with picked(id) as (select id from subscriptions where client_id = '${club.client.clientId}') ${broken}`,
      );
      seen.told = rows.map((row) => row.id);
      throw undone;
    })
    .catch((thrown: unknown) => {
      if (thrown !== undone) throw thrown;
    });
  expect(seen.told).toEqual([seen.damaged]);
});

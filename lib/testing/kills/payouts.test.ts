import { rmSync } from "node:fs";
import postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { nextBankDay, saoPauloDay } from "@/lib/brazil/bank-calendar";
import { proposeMark } from "@/lib/payouts/marking";
import { openClient } from "@/lib/testing/api";
import { testDatabaseUrl } from "@/lib/testing/database";
import { environment } from "@/lib/testing/kills/runs";
import { BANK_POINTS, POINTS } from "@/lib/testing/kills/seams";
import { type Job, startWorker } from "@/lib/testing/kills/worker";
import { payByCard, payByPix, type Shop, withMerchant } from "@/lib/testing/payments";
import { broken, to } from "@/lib/testing/payouts";
import { person } from "@/lib/testing/people";
import { proofFrom, proofRuns, proofTimeout, recordProof } from "@/lib/testing/proof";
import { afterDelay, newSeller, openSellers } from "@/lib/testing/sellers";
import { bundled } from "@/lib/testing/simulator/bundle";

const IN_SUITE = 6;
/** Of one process, which dies with all of them under way. */
const AT_ONCE = 12;
/** Each may be held in the middle of a transaction. */
const CONNECTIONS = "20";
/** As many step boundaries as the longest of them has; a shorter one ends before. */
const STEPS = 24;

/** What is interrupted: the moment of the bank day that it belongs to, of the first or of the second. */
const KINDS = [
  { name: "statement", work: "day", time: "00:05:00", day: "first" },
  { name: "release", work: "day", time: "05:00:00", day: "first" },
  { name: "early", work: "day", time: "05:30:00", day: "first" },
  { name: "cut", work: "day", time: "06:00:00", day: "first" },
  { name: "send", work: "transfers", time: "06:30:00", day: "first" },
  { name: "result", work: "transfers", time: "00:05:00", day: "second" },
] as const satisfies readonly { name: string; work: Job["work"]; time: string; day: "first" | "second" }[];
type Kind = (typeof KINDS)[number];

interface Run extends Shop {
  kind: Kind;
  stopAt: number;
  first: string;
  second: string;
  sellers: string[];
}

let program: string;
beforeAll(async () => {
  program = await bundled("lib/testing/kills/worker-program.ts", "kill-payouts", [...POINTS, ...BANK_POINTS]);
});
afterAll(() => rmSync(program, { force: true }));

/** What the bank heard, each time that it did: it takes a transfer that it knows already for the one it has. */
beforeAll(async () => {
  const owner = postgres(await testDatabaseUrl(), { max: 1, onnotice: () => undefined });
  await owner.unsafe(`
    create table bank_heard (reference text not null);
    create function bank_hears() returns trigger language plpgsql security definer as $$
      begin insert into bank_heard values (new.reference); return new; end $$;
    create trigger bank_hears before insert on sandbox_transfers for each row execute function bank_hears();
    grant select on bank_heard to public`);
  await owner.end();
});

test("workers die at every step of statement, release, cut, send and result: the bank is told of a transfer once at most", {
  timeout: proofTimeout(240_000),
}, async () => {
  const [first, runs] = [proofFrom(), proofRuns(IN_SUITE)];
  const violations: string[] = [];
  const figures = { processesKilled: 0, operationsInterrupted: 0, operationsNotInterrupted: 0, transfers: 0 };
  const points = new Set<string>();
  for (let done = 0; done < runs; done += AT_ONCE) {
    const seen = await killOnce(first + done, Math.min(AT_ONCE, runs - done));
    violations.push(...seen.violations);
    figures.processesKilled += 1;
    figures.operationsInterrupted += seen.held.length;
    figures.operationsNotInterrupted += seen.ran - seen.held.length;
    figures.transfers += seen.transfers;
    for (const at of seen.held) points.add(at);
  }
  recordProof({ ran: runs, violations, figures, met: { points: [...points] } });
  expect(violations).toEqual([]);
  expect(figures.operationsInterrupted).toBeGreaterThan(0);
});

async function killOnce(first: number, count: number) {
  const starting = startWorker(program, { ...environment(), DATABASE_POOL: CONNECTIONS });
  const begun: Run[] = [];
  for (let index = 0; index < count; index++) begun.push(await begin(first + index));
  const worker = await starting;
  for (const { client, merchant, kind, stopAt, ...run } of begun) {
    const at = `${run[kind.day]}T${kind.time}-03:00`;
    const job = { id: merchant.id, clientId: client.clientId, operationId: merchant.id, work: kind.work, at };
    worker.give({ ...job, stopAt, holdsLocks: true });
  }
  const ids = begun.map(({ merchant }) => merchant.id);
  await worker.settled(ids);
  worker.child.kill("SIGKILL");
  const held = worker.told.flatMap(({ id, at }) => (at !== undefined && ids.includes(id) ? [at] : []));
  const violations: string[] = [];
  let transfers = 0;
  for (const run of begun) {
    const { kind, stopAt } = run;
    const seen = await comesToAnEnd(run);
    transfers += seen.transfers;
    violations.push(...seen.wrongs.map((wrong) => `${kind.name} at ${stopAt}: ${wrong}`));
  }
  return { violations, held, transfers, ran: count };
}

/** Three sellers are owed 100.00 each of a Pix; one's bank never answers, one is paid early as well. */
async function begin(number: number): Promise<Run> {
  // Guarantee: the index is within the list.
  const kind = KINDS[number % KINDS.length] as Kind;
  const stopAt = 1 + ((number * 7 + Math.floor(number / KINDS.length)) % STEPS);
  const shop = await withMerchant(await openClient());
  const { client, merchant } = shop;
  const noon = nextBankDay(saoPauloDay(new Date()));
  await to(client, noon, "12:00:00");
  const transferPolicy = { transferInterval: "daily", transferDay: 0, transferEnabled: true };
  const mute = newSeller(merchant.id, { transferPolicy });
  const bankAccount = { ...mute.bankAccount, accountNumber: "8888888" };
  const { id } = await client.make("POST", "/v1/sellers", { body: { ...mute, bankAccount } });
  await afterDelay(client);
  const sellers = [id, ...(await openSellers(client, merchant.id, 2, { transferPolicy }))];
  const splitRules = sellers.map((sellerId) => ({ sellerId, amount: 10_000 }));
  const { body: pix } = await payByPix(shop, { amount: 35_000, changes: { splitRules } });
  await client.make("POST", `/v1/sandbox/pix/${pix.id}/pay`, { body: {} });
  const later = [{ sellerId: sellers[2], amount: 9_000 }];
  await payByCard(shop, { amount: 9_000, capture: true, changes: { splitRules: later } });
  const early = await client.make<{ id: string }>("POST", "/v1/subacquirer/prepayment", {
    body: { endDate: "2099-12-31", sellerId: sellers[2] },
  });
  await client.make("POST", `/v1/subacquirer/prepayment/${early.id}/commit`, { body: {} });
  const first = nextBankDay(noon);
  const run = { ...shop, kind, stopAt, first, second: nextBankDay(first), sellers };
  await to(client, run[kind.day], secondBefore(kind.time));
  return run;
}

const secondBefore = (time: string): string => {
  const at = new Date(Date.parse(`2026-01-02T${time}Z`) - 1_000).toISOString();
  return at.slice(0, 10) === "2026-01-02" ? at.slice(11, 19) : "00:00:00";
};

/** Others find what is left; of what the bank was perhaps never told, people say at last that it failed. */
async function comesToAnEnd({
  client,
  merchant,
  second,
  sellers,
}: Run): Promise<{ wrongs: string[]; transfers: number }> {
  let day = second;
  const goOn = async (bankDays: number): Promise<void> => {
    for (let nth = 0; nth < bankDays; nth++) day = nextBankDay(day);
    await to(client, day, "18:00:00");
  };
  await goOn(4);
  const unknown = await systemSql()<{ batch: string; reference: string }[]>`
    select batch_id as batch, reference from payout_transfers where merchant_id = ${merchant.id} and status = 'unknown'`;
  const owner = await person(client, "owner");
  for (const { batch } of unknown) {
    const ctx = { ...owner, account: (await client.context()).account };
    await proposeMark(ctx, batch, { how: "failed", error: "unknown" }, "the bank has no such transfer");
  }
  await goOn(3);
  const wrongs: string[] = [];
  const transfers = await systemSql()<
    { reference: string; status: string; amount: number; kept: number; times: number }[]
  >`
    select t.reference, t.status, t.amount::float8 as amount, coalesce(s.amount, 0)::float8 as kept,
           (select count(*)::int from bank_heard h where h.reference = t.reference) as times
      from payout_transfers t left join sandbox_transfers s on s.client_id = t.client_id and s.reference = t.reference
     where t.merchant_id = ${merchant.id} order by t.id`;
  for (const { reference, status, amount, kept, times } of transfers) {
    if (times > 1) wrongs.push(`the bank was told ${times} times of a transfer`);
    if (status === "settled" && kept !== amount) wrongs.push("paid, and the bank has no such transfer");
    if (status !== "settled" && kept > 0) wrongs.push(`${status}, and the bank paid it`);
    if (!["settled", "failed"].includes(status)) wrongs.push(`a transfer is ${status}`);
    if (status === "failed" && !unknown.some((one) => one.reference === reference)) wrongs.push("failed by nobody");
  }
  const paid = await systemSql()<{ seller: string; sum: number; waits: number }[]>`
    select b.seller_id as seller, sum(b.final_balance + b.withdrawal_fee_amount) filter (where b.status = 'paid')::float8 as sum,
           count(*) filter (where b.status = 'pending')::int as waits
      from payout_batches b where b.merchant_id = ${merchant.id} and b.seller_id is not null group by 1`;
  for (const [nth, sellerId] of sellers.entries()) {
    const own = paid.find(({ seller }) => seller === sellerId);
    const { available } = await client.make<{ available: number }>("GET", `/v1/payouts/balance?sellerId=${sellerId}`);
    const isWhole = nth < 2 ? own?.sum === 10_000 : (own?.sum ?? 0) > 18_000 && (own?.sum ?? 0) < 19_000;
    if (!isWhole || own?.waits !== 0 || available !== 0)
      wrongs.push(`seller ${nth} has ${own?.sum}, and ${available} waits`);
  }
  const open = await systemSql()<{ kind: string; subject: string }[]>`
    select kind, subject from settlement_breaks where merchant_id = ${merchant.id} and closed_at is null`;
  for (const { kind, subject } of open) wrongs.push(`open: ${kind} ${subject}`);
  const invariants = await broken(client);
  if (invariants.length > 0) wrongs.push(`broken: ${JSON.stringify(invariants)}`);
  return { wrongs, transfers: transfers.length };
}

import { and, asc, eq, type SQL, sql } from "drizzle-orm";
import { payoutTransfers } from "@/db/schema/payouts";
import { isBankDay, nextBankDay, saoPauloDay } from "@/lib/brazil/bank-calendar";
import { type Context, inTransaction, now } from "@/lib/context";
import { holdJob, schedule, unschedule } from "@/lib/due-jobs/schedule";
import { env } from "@/lib/env";
import { log } from "@/lib/log";
import { shortCallMs } from "@/lib/payments/call";
import { anyMarked, checkMarked } from "@/lib/payouts/contradictions";
import { isPayable } from "@/lib/payouts/cut";
import {
  failTransfer,
  moveTransfer,
  RETURN_DAYS,
  returnTransfer,
  settleTransfer,
  type TransferRow,
  transferReason,
} from "@/lib/payouts/results";
import { isBroken, keepUnknown } from "@/lib/payouts/unknown";
import { pipelined } from "@/lib/pipeline";
import type { ProviderCall } from "@/lib/providers/provider";
import { transferBank } from "@/lib/providers/registry";
import { secretOf } from "@/lib/providers/secret";
import type { BankTransferState, Sent } from "@/lib/providers/transfers";
import { momentOn } from "@/lib/receivables/merchant-day";
import { addSeconds, DAY_SECONDS, nowOn, realNow } from "@/lib/time";

/** A bank is told of this many at once: none is claimed that has to wait for others. */
const AT_ONCE = 10;
/** Transfers of one question. */
const CHUNK = 500;
/** Longer than the longest call: whoever told the bank is gone, and what became of it is asked. */
const HELD_UP_SECONDS = 30;
/** 1, 5, 15 and 60 minutes, then hourly (spec/settlement.md section 4). */
const ASK_AGAIN_SECONDS = [60, 300, 900, 3_600] as const;
const HOURLY_SECONDS = 3_600;

/**
 * The transfers of a merchant: tells the bank of new ones in its hours, and asks about those without a result. Each is
 * claimed before the call and told at most once; without an answer it is only asked about.
 */
export async function workOnTransfers(ctx: Context, merchantId: string): Promise<void> {
  await inTransaction(ctx, async (inside) => {
    await giveUpReplaced(inside, merchantId);
    await missReturns(inside, merchantId);
  });
  const isUnreached = await sendAll(ctx, merchantId);
  await askAbout(ctx, merchantId);
  await takeReturns(ctx, merchantId);
  await checkMarked(ctx, merchantId, (references) => transferBank().ask(bankCall(ctx, merchantId), references));
  await inTransaction(ctx, async (inside) => {
    await keepUnknown(inside, merchantId);
    await holdJob(inside, "transfer.query", merchantId);
    const next = await nextLook(inside, merchantId, isUnreached);
    if (next) await schedule(inside, "transfer.query", merchantId, next);
    else await unschedule(inside, "transfer.query", merchantId);
  });
}

/** Money leaves on bank days, 06:30 to 17:00. */
function isOpen(at: Date): boolean {
  const day = saoPauloDay(at);
  return isBankDay(day) && at >= momentOn(day, "transfers") && at <= momentOn(day, "lastTransfers");
}

/** Answers whether some did not reach the bank. */
async function sendAll(ctx: Context, merchantId: string): Promise<boolean> {
  let isUnreached = false;
  while (isOpen(now(ctx))) {
    const sent = await sendSome(ctx, merchantId);
    const lost = sent.filter(({ kind }) => kind === "not_sent").length;
    isUnreached ||= lost > 0;
    if (sent.length < AT_ONCE || lost === sent.length) break;
  }
  return isUnreached;
}

async function sendSome(ctx: Context, merchantId: string): Promise<Sent[]> {
  // Its time begins before the claim: nothing leaves so late that somebody may have asked about it, and given it up.
  const call = bankCall(ctx, merchantId);
  const claimed = await inTransaction(ctx, (inside) => claim(inside, merchantId));
  const outcomes = await Promise.all(claimed.map(async (transfer) => ({ transfer, sent: await send(call, transfer) })));
  await inTransaction(ctx, async (inside) => {
    await pipelined(outcomes.map(({ transfer, sent }) => record(inside, transfer, sent)));
  });
  return outcomes.map(({ sent }) => sent);
}

/** Nothing goes to an account that its seller has replaced: the next batch is for the new one. */
export async function giveUpReplaced(ctx: Context, merchantId: string): Promise<void> {
  const replaced = await ctx.db
    .select()
    .from(payoutTransfers)
    .where(
      sql`client_id = ${ctx.account.id} and merchant_id = ${merchantId} and status = 'created' and attempted_at is null
        and rail <> 'none' and destination -> 'account' <> (
          select s.bank_account from sellers s where s.id = ${payoutTransfers.sellerId})`,
    )
    .orderBy(asc(payoutTransfers.id))
    .for("update", { skipLocked: true });
  for (const transfer of replaced) await failTransfer(ctx, transfer, "unknown");
}

/** A file that no return tells of for three bank days is asked about by people: its transfers may have been paid. */
async function missReturns(ctx: Context, merchantId: string): Promise<void> {
  const silent = await transfersBy(
    ctx,
    sql`merchant_id = ${merchantId} and rail = 'file' and status = 'sent' and ${isBroken(now(ctx))}`,
  );
  for (const transfer of silent) await moveTransfer(ctx, transfer, "bank.silent");
}

/** Committed before anything is sent; whoever is not paid any more stays where it is. */
async function claim(ctx: Context, merchantId: string): Promise<TransferRow[]> {
  const at = now(ctx);
  const rows = await ctx.db.execute<{ id: string }>(sql`
    update payout_transfers t set attempted_at = ${at.toISOString()}, sent_on = ${saoPauloDay(at)},
           updated_at = ${at.toISOString()}
     where t.id in (
       select c.id from payout_transfers c join sellers s on s.id = c.seller_id
        where c.merchant_id = ${merchantId} and c.status = 'created' and c.attempted_at is null and c.rail = 'sandbox'
          and c.destination -> 'account' = s.bank_account and ${isPayable(at)}
        order by c.id limit ${AT_ONCE} for update of c skip locked)
    returning t.id`);
  return transfersBy(
    ctx,
    sql`id in (select * from json_to_recordset(${JSON.stringify([...rows])}::json) as x (id uuid))`,
  );
}

async function transfersBy(ctx: Context, condition: SQL): Promise<TransferRow[]> {
  return ctx.db
    .select()
    .from(payoutTransfers)
    .where(and(eq(payoutTransfers.clientId, ctx.account.id), condition))
    .orderBy(asc(payoutTransfers.id));
}

function bankCall(ctx: Context, merchantId: string): ProviderCall {
  if (ctx.isInTransaction) throw new Error("a bank is never called inside a transaction");
  const timeoutMs = shortCallMs();
  return {
    clientId: ctx.account.id,
    providerId: merchantId,
    publicUrl: env().BASE_URL,
    credentials: secretOf({ apiKey: "payouts" }),
    host: "test",
    deadline: new Date(realNow().getTime() + timeoutMs),
    signal: AbortSignal.timeout(timeoutMs),
    clock: { now: () => nowOn(ctx.account.clock) },
    log: { info: (message) => log.info({}, message), warn: (message) => log.warn({}, message) },
  };
}

const send = (call: ProviderCall, { reference, amount, destination }: TransferRow): Promise<Sent> => {
  const { account, method } = destination;
  const order = { reference, amount, method, account: account.accountNumber, holderDocument: account.holderDocument };
  return transferBank().send(call, order);
};

/** A call that provably never left leaves the transfer to be told once more. */
async function record(ctx: Context, transfer: TransferRow, sent: Sent): Promise<void> {
  if (sent.kind === "accepted") await moveTransfer(ctx, transfer, "bank.accepted");
  else if (sent.kind === "refused") await failTransfer(ctx, transfer, transferReason(sent.reason));
  else if (sent.kind === "unknown") await moveTransfer(ctx, transfer, "bank.silent");
  else
    await ctx.db.execute(sql`
    update payout_transfers set attempted_at = null, sent_on = null where id = ${transfer.id} and status = 'created'`);
}

/** Told, and without a result: one that the bank does not know may still reach it, so that it is only asked about. */
async function askAbout(ctx: Context, merchantId: string): Promise<void> {
  const open = await inTransaction(ctx, (inside) => toAskAbout(inside, merchantId));
  for (let first = 0; first < open.length; first += CHUNK) {
    const some = open.slice(first, first + CHUNK);
    const references = some.map(({ reference }) => reference);
    const asked = await transferBank().ask(bankCall(ctx, merchantId), references);
    await inTransaction(ctx, async (inside) => {
      // Each takes its transfer first, in their order; what follows from it, for one, waits for nothing of the others.
      await pipelined(
        some.map((transfer) =>
          asked.kind === "found"
            ? learn(inside, transfer, asked.states.get(transfer.reference))
            : countQuestion(inside, transfer),
        ),
      );
    });
  }
}

async function toAskAbout(ctx: Context, merchantId: string): Promise<TransferRow[]> {
  const at = now(ctx);
  return transfersBy(
    ctx,
    sql`merchant_id = ${merchantId} and rail = 'sandbox' and (status = 'unknown'
      or (status = 'sent' and sent_on < ${saoPauloDay(at)})
      or (status = 'created' and attempted_at <= ${addSeconds(at, -HELD_UP_SECONDS).toISOString()}))`,
  );
}

async function learn(ctx: Context, transfer: TransferRow, state: BankTransferState | undefined): Promise<void> {
  const asked = transfer.status === "created" ? { ...transfer, status: "unknown" as const } : transfer;
  if (transfer.status === "created" && !(await moveTransfer(ctx, transfer, "bank.silent"))) return;
  if (!state) return countQuestion(ctx, asked);
  if (state.status === "failed") return failTransfer(ctx, asked, transferReason(state.reason));
  if (state.status === "settled" || state.status === "returned") return settleTransfer(ctx, asked);
  if (asked.status === "unknown") await moveTransfer(ctx, asked, "bank.accepted");
}

const countQuestion = ({ db }: Context, { id }: TransferRow): Promise<void> =>
  db
    .execute(sql`update payout_transfers set queries = least(queries + 1, 1000) where id = ${id}`)
    .then(() => undefined);

/** What came back of what was paid: the bank says it by itself. */
async function takeReturns(ctx: Context, merchantId: string): Promise<void> {
  const since = addSeconds(now(ctx), -RETURN_DAYS * DAY_SECONDS);
  const hasSettled = await inTransaction(ctx, (inside) => anySettledSince(inside, merchantId, saoPauloDay(since)));
  if (!hasSettled) return;
  const told = await transferBank().returnedSince(bankCall(ctx, merchantId), since.toISOString());
  if (told.kind === "unavailable" || told.states.size === 0) return;
  await inTransaction(ctx, async (inside) => {
    const references = JSON.stringify([...told.states.keys()]);
    const settled = await transfersBy(
      inside,
      sql`merchant_id = ${merchantId} and status = 'settled'
        and reference in (select json_array_elements_text(${references}::json))`,
    );
    for (const transfer of settled) {
      await returnTransfer(inside, transfer, transferReason(told.states.get(transfer.reference)?.reason));
    }
  });
}

async function anySettledSince({ db }: Context, merchantId: string, day: string): Promise<boolean> {
  const rows = await db.execute(sql`
    select 1 from payout_transfers
     where merchant_id = ${merchantId} and status = 'settled' and sent_on >= ${day} and rail = 'sandbox'
     order by sent_on desc limit 1`);
  return [...rows].length > 0;
}

async function nextLook(ctx: Context, merchantId: string, isUnreached: boolean): Promise<Date | undefined> {
  const at = now(ctx);
  const today = saoPauloDay(at);
  // Of what a file carries, or is to carry, time alone may make news: its seller replaced the account, no return came.
  const [open] = await ctx.db.execute<{ unsent: boolean; daily: boolean; queries: number | null }>(sql`
    select coalesce(bool_or(status = 'created' and attempted_at is null and rail = 'sandbox'), false) as unsent,
           coalesce(bool_or(status = 'sent' or rail = 'file' or (status = 'unknown' and ${isBroken(at)})), false) as daily,
           min(queries) filter (where rail = 'sandbox' and ((status = 'unknown' and not ${isBroken(at)})
             or (status = 'created' and attempted_at is not null)))::int as queries
      from payout_transfers
     where merchant_id = ${merchantId} and status in ('created', 'sent', 'unknown') and rail <> 'none'`);
  const looks: Date[] = [];
  if (open && open.queries !== null) looks.push(addSeconds(at, ASK_AGAIN_SECONDS[open.queries] ?? HOURLY_SECONDS));
  if (isUnreached) looks.push(addSeconds(at, ASK_AGAIN_SECONDS[0]));
  if (open?.unsent)
    looks.push(
      at < momentOn(today, "transfers") && isBankDay(today)
        ? momentOn(today, "transfers")
        : momentOn(nextBankDay(today), "transfers"),
    );
  const morning = momentOn(nextBankDay(today), "statements");
  if (open?.daily) looks.push(morning);
  if (await anySettledSince(ctx, merchantId, saoPauloDay(addSeconds(at, -RETURN_DAYS * DAY_SECONDS))))
    looks.push(morning);
  if (await anyMarked(ctx, merchantId)) looks.push(morning);
  return looks.length === 0 ? undefined : new Date(Math.min(...looks.map((look) => look.getTime())));
}

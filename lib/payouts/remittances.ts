import { createHash } from "node:crypto";
import { and, eq, sql } from "drizzle-orm";
import { z } from "zod";
import { merchants, type PayoutAccount } from "@/db/schema/merchants";
import { payoutFiles } from "@/db/schema/payout-files";
import { payoutTransfers } from "@/db/schema/payouts";
import { audit } from "@/lib/audit";
import { type CivilDate, isBankDay, nextBankDay, saoPauloDay, saoPauloWallTime } from "@/lib/brazil/bank-calendar";
import { type Context, inTransaction, now } from "@/lib/context";
import { scheduleNoLater } from "@/lib/due-jobs/schedule";
import { DomainError, invalid, notFound } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { sumOf } from "@/lib/money";
import { FILE_HEADER } from "@/lib/payouts/cnab240/layout";
import { readRecord, writeRecord } from "@/lib/payouts/cnab240/records";
import {
  type RemittancePayer,
  type RemittancePayment,
  unfitOf,
  writeRemittance,
} from "@/lib/payouts/cnab240/remittance";
import { isPayable } from "@/lib/payouts/cut";
import { transferMachine } from "@/lib/payouts/machine";
import type { TransferRow } from "@/lib/payouts/results";
import { giveUpReplaced } from "@/lib/payouts/transfers";
import { endProposal, type MoneyProposal, propose } from "@/lib/proposals/service";
import { momentOn } from "@/lib/receivables/merchant-day";
import { findBank, findBankByIspb } from "@/lib/reference/banks";

/** Transfers of one file: each takes two of the records that the layout counts with five digits. */
const MOST_TRANSFERS = 5_000;

export interface Fileable {
  ready: TransferRow[];
  /** Batches whose transfer has no place in the layout: people pay them. */
  unfit: string[];
  amount: number;
}

/** What the next file of a merchant would carry. */
export async function fileable(
  ctx: Context,
  merchantId: string,
): Promise<Fileable & { account: PayoutAccount | null }> {
  const [merchant] = await ctx.db
    .select({ account: merchants.payoutAccount })
    .from(merchants)
    .where(and(eq(merchants.clientId, ctx.account.id), eq(merchants.id, merchantId)));
  if (!merchant) throw notFound("merchant");
  const { account } = merchant;
  const rows = await ctx.db
    .select()
    .from(payoutTransfers)
    .where(
      sql`${payoutTransfers.clientId} = ${ctx.account.id} and ${payoutTransfers.merchantId} = ${merchantId}
        and ${payoutTransfers.rail} = 'file' and ${payoutTransfers.status} = 'created' and exists (
          select from sellers s where s.id = ${payoutTransfers.sellerId}
             and ${payoutTransfers.destination} -> 'account' = s.bank_account and ${isPayable(now(ctx))})`,
    )
    .orderBy(payoutTransfers.id)
    .limit(MOST_TRANSFERS);
  const isFit = (transfer: TransferRow) =>
    account === null || unfitOf(payerOf(account), paymentOf(transfer, transfer.id.slice(0, 20))) === undefined;
  const ready = rows.filter(isFit);
  return {
    account,
    ready,
    unfit: rows.filter((row) => !isFit(row)).map(({ batchId }) => batchId),
    amount: sumOf(ready.map(({ amount }) => amount)),
  };
}

const seenDetails = z.object({ transfers: z.int(), amount: z.int(), digest: z.string() });
type Seen = z.output<typeof seenDetails>;

/** What somebody asked for, and whether other transfers wait now, or another account pays: then it cannot be approved. */
export function askedFile(
  { details }: Pick<MoneyProposal, "details">,
  { account, ready }: Awaited<ReturnType<typeof fileable>>,
): { transfers: number; amount: number; isStale: boolean } {
  const { transfers, amount, digest } = seenDetails.parse(details);
  return { transfers, amount, isStale: !account || digestOf(account, ready) !== digest };
}

/** Whoever approves sees a count and a sum: the same of other transfers, or from another account, is not what was asked for. */
const digestOf = (account: PayoutAccount, transfers: readonly TransferRow[]): string =>
  createHash("sha256")
    .update(JSON.stringify([Object.entries(account).sort(), transfers.map(({ id }) => id)]))
    .digest("hex");

/** Asks for a file of all transfers that wait for one, or makes it at once while nobody else could approve it. */
export const proposeFile = (ctx: Context, merchantId: string, reason: string): Promise<"proposed" | "done"> =>
  inTransaction(ctx, async (inside) => {
    const { ready, amount, account } = await fileable(inside, merchantId);
    if (!account) throw invalid("payoutAccount: files for a bank need the account that they pay from");
    if (ready.length === 0) throw new DomainError("invalid_status_transition", "no transfer waits for a file");
    const details: Seen = { transfers: ready.length, amount, digest: digestOf(account, ready) };
    return propose(inside, { kind: "payout_file", merchantId, subjectId: merchantId, details, reason }, (acting) =>
      make(acting, merchantId, details),
    );
  });

export const endFile = (
  ctx: Context,
  merchantId: string,
  proposalId: string,
  outcome: "approved" | "refused",
): Promise<void> =>
  endProposal(ctx, { id: proposalId, subjectId: merchantId }, ["payout_file"], outcome, (inside, { details }) =>
    make(inside, merchantId, seenDetails.parse(details)),
  );

/** Locked one after the other; what was approved is what is sent, or nothing is. */
async function make(ctx: Context, merchantId: string, seen: Seen): Promise<void> {
  await ctx.db.execute(sql`select 1 from merchants where id = ${merchantId} for no key update`);
  await giveUpReplaced(ctx, merchantId);
  const { ready, amount, account } = await fileable(ctx, merchantId);
  if (!account || digestOf(account, ready) !== seen.digest) {
    throw new DomainError("invalid_status_transition", "other transfers wait than the file was asked for");
  }
  const at = now(ctx);
  const today = saoPauloDay(at);
  const payOn = isBankDay(today) && at <= momentOn(today, "lastTransfers") ? today : nextBankDay(today);
  const { bank, agreement } = countedBy(account);
  const sequence = await nextSequence(ctx, bank, agreement);
  const file = await nextFileOf(ctx, merchantId);
  const named = ready.map((transfer, index) => ({ transfer, fileNumber: numberOf(merchantId, file, index + 1) }));
  const content = writeRemittance({
    payer: payerOf(account),
    sequence,
    madeOn: digitsOf(today),
    madeAt: saoPauloWallTime(at).slice(TIME_BEGINS, TIME_ENDS).replaceAll(":", ""),
    payOn: digitsOf(payOn),
    payments: named.map(({ transfer, fileNumber }) => paymentOf(transfer, fileNumber)),
  });
  const id = newId();
  await ctx.db.insert(payoutFiles).values({
    id,
    clientId: ctx.account.id,
    merchantId,
    bank,
    agreement,
    sequence,
    content,
    transfers: ready.length,
    amount,
    createdAt: at,
  });
  await carry(ctx, id, payOn, named);
  await scheduleNoLater(ctx, "transfer.query", merchantId, momentOn(nextBankDay(payOn), "statements"));
  const after = { merchantId, sequence, transfers: ready.length, amount };
  await audit(ctx, { action: "payout.file_make", object: "payout_file", objectId: id, after });
}

/** As its files name them: two merchants that write one agreement differently share it at the bank. */
function countedBy(account: PayoutAccount): { bank: string; agreement: string } {
  const { bank = "", agreement = "" } = readRecord(
    FILE_HEADER,
    writeRecord(FILE_HEADER, { bank: account.bank, agreement: account.agreement }),
  );
  return { bank, agreement };
}

/** Merchants of one agreement make their files one after the other: the bank takes no number twice, and misses none. */
async function nextSequence({ account, db }: Context, bank: string, agreement: string): Promise<number> {
  const counted = `${account.id} payout files ${bank} ${agreement}`;
  await db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${counted}, 0))`);
  const [last] = await db.execute<{ sequence: number }>(sql`
    select coalesce(max(sequence), 0)::int as sequence from payout_files
     where client_id = ${account.id} and bank = ${bank} and agreement = ${agreement}`);
  return (last?.sequence ?? 0) + 1;
}

/** Files of a merchant go on counting when it changes its bank: no two of its payments have one name. */
async function nextFileOf({ db }: Context, merchantId: string): Promise<number> {
  const [last] = await db.execute<{ name: string | null }>(sql`
    select max(file_number) as name from payout_transfers where merchant_id = ${merchantId}`);
  return Number(last?.name?.slice(PREFIX.length, PREFIX.length + FILE_DIGITS) ?? 0) + 1;
}

/** The rail took them: from here on only the bank, or two people, say how each ended. */
async function carry(
  ctx: Context,
  fileId: string,
  payOn: CivilDate,
  named: readonly { transfer: TransferRow; fileNumber: string }[],
): Promise<void> {
  const at = now(ctx).toISOString();
  const rows = named.map(({ transfer, fileNumber }) => ({ id: transfer.id, number: fileNumber }));
  const moved = await ctx.db.execute(sql`
    update payout_transfers t set status = ${transferMachine.next("created", "bank.accepted")}, attempted_at = ${at},
           sent_on = ${payOn}, file_id = ${fileId}, file_number = x.number, updated_at = ${at}
      from json_to_recordset(${JSON.stringify(rows)}::json) as x (id uuid, number text)
     where t.id = x.id and t.status = 'created' and t.attempted_at is null
    returning t.id`);
  if ([...moved].length !== named.length) {
    throw new DomainError("invalid_status_transition", "other transfers wait than the file was asked for");
  }
}

const PREFIX = "TR";
const FILE_DIGITS = 6;
const PLACE_DIGITS = 5;
const MERCHANT_DIGITS = 7;
/** The last digits are the merchant's: two that pay from one account are not told each other's results. */
const numberOf = (merchantId: string, file: number, place: number): string =>
  [
    PREFIX,
    String(file).padStart(FILE_DIGITS, "0"),
    String(place).padStart(PLACE_DIGITS, "0"),
    merchantId.slice(-MERCHANT_DIGITS).toUpperCase(),
  ].join("");

/** Of a wall time, its hours, minutes and seconds. */
const TIME_BEGINS = 11;
const TIME_ENDS = 19;

/** DDMMYYYY. */
const digitsOf = (day: CivilDate): string => day.split("-").reverse().join("");

const payerOf = (account: PayoutAccount): RemittancePayer => ({
  ...account,
  bankName: findBank(account.bank)?.name ?? "",
});

function paymentOf({ amount, destination: { account, method } }: TransferRow, ourNumber: string): RemittancePayment {
  const { ispb, pixKey, type } = account;
  return {
    ourNumber,
    amount,
    method,
    holderName: account.holderName,
    holderDocument: account.holderDocument,
    bank: ispb ? findBankByIspb(ispb)?.code : account.bank,
    ispb: ispb ?? (account.bank ? (findBank(account.bank)?.ispb ?? undefined) : undefined),
    branchNumber: account.branchNumber,
    branchCheckDigit: account.branchCheckDigit,
    accountNumber: account.accountNumber,
    accountCheckDigit: account.accountCheckDigit,
    isSavings: type.startsWith("conta_poupanca"),
    pixKey,
  };
}

/** Its bytes and the name that it is saved under. */
export const fileAt = (ctx: Context, id: string): Promise<typeof payoutFiles.$inferSelect> =>
  inTransaction(ctx, async ({ db, account }) => {
    const [file] = await db
      .select()
      .from(payoutFiles)
      .where(and(eq(payoutFiles.clientId, account.id), eq(payoutFiles.id, id)));
    if (!file) throw notFound("payout file");
    return file;
  });

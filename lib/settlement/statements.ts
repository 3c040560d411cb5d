import { sql } from "drizzle-orm";
import { textArray } from "@/db/arrays";
import { lookUp } from "@/db/look-up";
import { merchants, providers } from "@/db/schema/merchants";
import { merchantDays, statementLines } from "@/db/schema/settlement";
import { addDays, type CivilDate, daysBetween, saoPauloDay } from "@/lib/brazil/bank-calendar";
import { type Context, inOneStatement, inTransaction, now } from "@/lib/context";
import { derivedId } from "@/lib/ids";
import { providerCost, settled, settledUnowned } from "@/lib/ledger/journals/settlement";
import { type Draft, post } from "@/lib/ledger/post";
import { log } from "@/lib/log";
import { providerCall, shortCallMs } from "@/lib/payments/call";
import { type RoutedProvider, toRouted } from "@/lib/payments/routing/provider";
import { statementReaderOf } from "@/lib/providers/registry";
import type { ReadStatement, StatementLine } from "@/lib/providers/statements";
import { receivableAccountOf } from "@/lib/receivables/arrangement";
import { keepBreaks, type StatementDifference } from "@/lib/settlement/breaks";
import { keepingDay } from "@/lib/settlement/days";

/** Days that one question is about. */
const MOST_DAYS = 31;
/** Lines that one statement of the database carries. */
const MOST_ROWS = 2_000;

export interface ReadThrough {
  /** Acquirers that did not answer: the others are read all the same, and those days asked for again. */
  silent: ReadonlySet<string>;
  /** Those that have statements of their own; undefined where people upload any, who may do so at this moment. */
  readable: readonly string[] | undefined;
}

/**
 * Reads what the merchant's acquirers settled on every day up to `through` that was not read yet, and books each line
 * once. The last of these days are the caller's to keep, with what it makes of them.
 */
export async function readStatements(ctx: Context, merchantId: string, through: CivilDate): Promise<ReadThrough> {
  const asked = await toRead(ctx, merchantId);
  const silent = new Set<string>();
  if (!asked) return { silent, readable: [] };
  for (let from = asked.from; from <= through; ) {
    const last = addDays(from, Math.min(MOST_DAYS - 1, daysBetween(from, through)));
    for (const { provider, read } of asked.providers) {
      if (silent.has(provider.id)) continue;
      if (!(await readDays(ctx, merchantId, provider, read, { from, to: last }))) silent.add(provider.id);
    }
    if (silent.size === 0 && last < through)
      await inOneStatement(ctx, [keepingDay(ctx, merchantId, "statementsThrough", last)]);
    from = addDays(last, 1);
  }
  return { silent, readable: asked.isUploadedTo ? undefined : asked.providers.map(({ provider }) => provider.id) };
}

interface ToRead {
  from: CivilDate;
  providers: { provider: RoutedProvider; read: ReadStatement }[];
  isUploadedTo: boolean;
}

/** $2 is the merchant. */
const lookUpMerchant = lookUp({
  merchant: [merchants, "id = $2::uuid"],
  days: [merchantDays, "merchant_id = $2::uuid"],
  routed: [providers, "merchant_id = $2::uuid and routable"],
});

async function toRead({ db, account }: Context, merchantId: string): Promise<ToRead | undefined> {
  const found = await lookUpMerchant(db, account.id, [merchantId]);
  const [merchant] = found.merchant;
  if (!merchant) return undefined;
  const through = found.days[0]?.statementsThrough ?? null;
  const readable = found.routed.flatMap((row) => {
    const read = statementReaderOf(row.kind);
    return read ? [{ provider: toRouted(row), read }] : [];
  });
  return {
    from: through === null ? saoPauloDay(merchant.createdAt) : addDays(through, 1),
    providers: readable,
    isUploadedTo: readable.length < found.routed.length,
  };
}

async function readDays(
  ctx: Context,
  merchantId: string,
  provider: RoutedProvider,
  read: ReadStatement,
  days: { from: CivilDate; to: CivilDate },
): Promise<boolean> {
  let after: string | undefined;
  do {
    const call = providerCall(ctx, provider, shortCallMs());
    const page = await read(call, { ...days, ...(after === undefined ? {} : { after }) });
    if (page.kind === "unavailable") {
      log.warn({ providerId: provider.id }, "a statement could not be read");
      return false;
    }
    if (page.lines.length > 0)
      await inTransaction(ctx, (inside) => takeLines(inside, merchantId, provider.id, page.lines));
    after = page.next;
  } while (after !== undefined);
  return true;
}

interface Sold extends Record<string, unknown> {
  transactionId: string;
  chargeId: string;
  currency: string;
  paymentType: string;
  arrangement: string | null;
}

/** Lines as they were told, each with its journal; one that is there already is left alone. */
export async function takeLines(
  ctx: Context,
  merchantId: string,
  providerId: string,
  lines: readonly StatementLine[],
): Promise<void> {
  if (lines.length === 0) return;
  const sold = await soldAt(ctx, merchantId, providerId, lines);
  const at = now(ctx);
  const rows = lines.map((line) => ({
    id: derivedId("statement-line", providerId, line.id),
    clientId: ctx.account.id,
    merchantId,
    providerId,
    externalId: line.id,
    providerTxId: line.providerTxId,
    chargeId: sold.get(line.providerTxId)?.chargeId ?? null,
    kind: line.kind,
    installment: line.instalment,
    amount: line.amount,
    cost: line.cost,
    settledOn: line.settledOn,
    createdAt: at,
  }));
  const fresh = new Set<string>();
  for (let first = 0; first < rows.length; first += MOST_ROWS) {
    const made = await ctx.db
      .insert(statementLines)
      .values(rows.slice(first, first + MOST_ROWS))
      .onConflictDoNothing()
      .returning({ id: statementLines.externalId });
    for (const { id } of made) fresh.add(id);
  }
  await post(
    ctx,
    lines
      .filter(({ id }) => fresh.has(id))
      .flatMap((line) => draftsOf(merchantId, providerId, line, sold.get(line.providerTxId))),
  );
  await keepBreaks(ctx, merchantId, "settlement_unowned", unowned(rows, fresh), []);
}

/** Money that belongs to nothing we know is somebody's to find out about. */
const unowned = (
  rows: readonly (typeof statementLines.$inferInsert)[],
  fresh: ReadonlySet<string>,
): StatementDifference[] =>
  rows
    .filter(({ externalId, chargeId, amount }) => fresh.has(externalId) && !chargeId && amount !== 0)
    .map(({ id, amount, settledOn }) => ({ subject: id, chargeId: null, day: settledOn, expected: 0, found: amount }));

/** By the names that their attempts have at the provider. */
export async function soldAt(
  { account, db }: Context,
  merchantId: string,
  providerId: string,
  lines: readonly StatementLine[],
): Promise<Map<string, Sold>> {
  const rows = await db.execute<Sold>(sql`
    select distinct on (t.transaction_id) t.transaction_id as "transactionId", c.id as "chargeId", c.currency,
           c.payment_type as "paymentType",
           (select r.payment_arrangement from receivables r
             where r.charge_id = c.id and r.type = 'credit' order by r.installment limit 1) as arrangement
      from transaction_requests t join charges c on c.id = t.charge_id
     where t.client_id = ${account.id} and t.provider_id = ${providerId} and c.merchant_id = ${merchantId}
       and t.transaction_id = any(${textArray([...new Set(lines.map(({ providerTxId }) => providerTxId))])})
     order by t.transaction_id, t.created_at`);
  return new Map([...rows].map((one) => [one.transactionId, one]));
}

/** Disputes are booked when they are opened and what came beside the sale when it was seen: their lines only confirm it. */
function draftsOf(merchantId: string, providerId: string, line: StatementLine, sold: Sold | undefined): Draft[] {
  const { kind, amount, cost } = line;
  const eventId = `${providerId}:${line.id}`;
  if (!sold) return [settledUnowned({ merchantId, currency: "BRL" }, eventId, amount)];
  if (kind !== "settlement" && kind !== "refund") return [];
  const subject = { merchantId, currency: sold.currency, chargeId: sold.chargeId };
  const owedIn = sold.arrangement ?? receivableAccountOf(sold.paymentType, undefined);
  return [providerCost(subject, eventId, owedIn, cost), settled(subject, eventId, owedIn, amount)];
}

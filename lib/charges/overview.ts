import { and, asc, desc, eq, inArray } from "drizzle-orm";
import { z } from "zod";
import { auditLog } from "@/db/schema/accounts";
import { routingDecisions } from "@/db/schema/charges";
import { cards, customers } from "@/db/schema/customers";
import { flows } from "@/db/schema/flows";
import { journals, ledgerAccounts, postings } from "@/db/schema/ledger";
import { merchants, providers } from "@/db/schema/merchants";
import { events } from "@/db/schema/outbox";
import { sellers } from "@/db/schema/sellers";
import { findRows } from "@/db/statements";
import { challengeOf } from "@/lib/charges/history";
import { payerOfLink } from "@/lib/charges/payer";
import { type Charge, getCharge } from "@/lib/charges/queries";
import { sellerNameFor } from "@/lib/charges/shared";
import { type Context, inSnapshot, inTransaction } from "@/lib/context";
import { namedIn } from "@/lib/flows/rules/named";
import type { FlowNode } from "@/lib/flows/rules/nodes";
import { redact } from "@/lib/http/redact";
import {
  type Buyer,
  type ShownCardHolder,
  type ShownPayer,
  shownBuyer,
  shownCardHolder,
  shownName,
} from "@/lib/operators/buyers";
import { demand, may } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";
import type { AttemptRow } from "@/lib/payments/attempts";
import { pipelined } from "@/lib/pipeline";

export interface PaymentOverview extends Charge {
  card: { brand: string; lastFour: string; holder: string; expires: string } | undefined;
  buyer: Buyer | undefined;
  /** Who gave the card on a link, as was typed there. */
  holder: ShownCardHolder | undefined;
  /** E-mail and document of who paid by card on a link, as was typed there. */
  payer: ShownPayer | undefined;
  merchant: string | null;
  /** The providers decided for it in their order, others that had an attempt, then those that were passed over. */
  route: RouteStop[];
  /** As it was decided then: read from what was recorded, never judged anew. */
  routeEnd: RouteEnd | undefined;
  decision: ShownDecision;
}

export interface ShownDecision {
  /** The flow that decided; without one the merchant's priorities did. */
  flow: { id: string; name: string; version: string } | undefined;
  /** The nodes that were passed, with the side taken. */
  path: string[];
  /** Those of the version that decided; undefined where it is not theirs to see, or none decided. */
  root: FlowNode[] | undefined;
  /** Of every provider in it, by id. */
  names: Record<string, string>;
}

/** Why no other provider was tried after the last answer. */
export type RouteEnd = "decline" | "limit" | "flow" | "challenge";

export interface RouteStop {
  id: string;
  name: string;
  kind: string;
  isRemoved: boolean;
  /** Why it was passed over. */
  skipped: string | undefined;
}

/** The payment with what its page says of it; another client's does not exist. */
export async function paymentOverview(ctx: Context, role: OperatorRole, id: string): Promise<PaymentOverview> {
  demand(role, "payments.see", "charge");
  return inSnapshot(ctx, async (inside) => {
    const charge = await getCharge(inside, id);
    const { row } = charge;
    const { db } = inside;
    // Each by its key: joined, the planner reads a whole table of people.
    const [[card], [shop]] = await pipelined([
      row.cardId ? db.select().from(cards).where(eq(cards.id, row.cardId)) : [],
      db.select({ name: merchants.name }).from(merchants).where(eq(merchants.id, row.merchantId)),
    ]);
    const payer = row.customerId ?? row.sourceCustomerId ?? card?.customerId;
    const [customer] = payer ? await db.select().from(customers).where(eq(customers.id, payer)) : [];
    return {
      ...charge,
      card: card
        ? {
            brand: card.brand,
            lastFour: card.last4digits,
            holder: shownName(role, card.cardHolderName),
            expires: `${card.expirationMonth}/${card.expirationYear}`,
          }
        : undefined,
      buyer: shownBuyer(role, customer ?? null),
      holder: row.holder ? shownCardHolder(role, row.holder) : undefined,
      payer: await payerOfLink(inside, role, row),
      merchant: shop?.name ?? null,
      ...(await routeOf(inside, charge)),
    };
  });
}

async function routeOf(
  { db }: Context,
  { row, attempts }: Charge,
): Promise<Pick<PaymentOverview, "route" | "routeEnd" | "decision">> {
  const [record] = await findRows(db, routingDecisions, { chargeId: row.id });
  const tried = attempts.flatMap(({ providerId }) => providerId ?? []);
  const [decided, passedOver] = [record?.providers ?? [], record?.skipped ?? []];
  const routeEnd = endOfRoute({ row, attempts }, record?.steps !== null && record?.steps !== undefined);
  const ids = [...new Set([...decided, ...tried, ...passedOver.map(({ id }) => id)])];
  const [flow] = record?.flowId ? await findRows(db, flows, { id: record.flowId }) : [];
  // Guarantee: rows are written from flows that were read and checked, and by nobody else.
  const root = flow ? (flow.root as FlowNode[]) : undefined;
  const wanted = [...new Set([...ids, ...namedIn(root ?? [])])];
  const named = wanted.length === 0 ? [] : await db.select().from(providers).where(inArray(providers.id, wanted));
  return {
    route: ids.flatMap((id) => {
      const found = named.find((one) => one.id === id);
      const isAsked = decided.includes(id) || tried.includes(id);
      const skipped = isAsked ? undefined : passedOver.find((one) => one.id === id)?.why;
      return found ? [{ id, name: found.name, kind: found.kind, isRemoved: found.deletedAt !== null, skipped }] : [];
    }),
    routeEnd,
    decision: {
      // Whoever sees some merchants alone may not see a flow that decides for others too.
      flow: record?.flowId
        ? { id: record.flowId, name: flow?.name ?? record.flowId, version: record.flowVersion ?? "" }
        : undefined,
      path: record?.path ?? [],
      root,
      names: Object.fromEntries(named.map(({ id, name }) => [id, name])),
    },
  };
}

/**
 * A decline keeps whether it allowed another try (`retryable`). Where it did and nobody else was asked, the networks'
 * limits forbade it, or a flow that says what follows which decline named nobody.
 */
function endOfRoute({ row, attempts }: Pick<Charge, "row" | "attempts">, isBranching: boolean): RouteEnd | undefined {
  if (row.status !== "failed") return undefined;
  if (challengeOf({ attempts })) return "challenge";
  const last = attempts.find(({ kind }) => kind === "authorize");
  if (last?.state !== "declined" || !last.providerError) return undefined;
  if (!last.providerError.retryable) return "decline";
  return isBranching ? "flow" : "limit";
}

/** What a provider answered, as it is fit to be shown: hidden by the adapter, and once more here. */
export const shownAnswer = ({ raw }: AttemptRow): string | undefined =>
  raw ? JSON.stringify(redact(raw), null, 2) : undefined;

export interface ToldEvent {
  id: string;
  event: string;
  version: number;
  at: Date;
}

/** Of a charge: what was taken and given back of it, up to an event. */
export interface ToldAmounts {
  captured: number;
  refunded: number;
}

const MOST_ROWS = 200;

/** By the ids of their events: what the client was told then. */
export async function amountsTold(ctx: Context, chargeId: string): Promise<ReadonlyMap<string, ToldAmounts>> {
  const rows = await inTransaction(ctx, ({ db, account }) =>
    db
      .select({ id: events.id, body: events.body })
      .from(events)
      .where(and(eq(events.clientId, account.id), eq(events.entityId, chargeId)))
      .orderBy(asc(events.entityVersion))
      .limit(MOST_ROWS),
  );
  return new Map(
    rows.flatMap(({ id, body }): [string, ToldAmounts][] => {
      const told = toldBody.safeParse(JSON.parse(body.toString("utf8"))).data?.data;
      return told ? [[id, { captured: told.capturedAmount, refunded: told.refundedAmount }]] : [];
    }),
  );
}

const toldBody = z.object({ data: z.object({ capturedAmount: z.number(), refundedAmount: z.number() }) });

/** What the client was told, oldest first. */
export const eventsOf = (ctx: Context, chargeId: string): Promise<ToldEvent[]> =>
  inTransaction(ctx, ({ db, account }) =>
    db
      .select({ id: events.id, event: events.event, version: events.entityVersion, at: events.createdAt })
      .from(events)
      .where(and(eq(events.clientId, account.id), eq(events.entityId, chargeId)))
      .orderBy(asc(events.entityVersion))
      .limit(MOST_ROWS),
  );

export interface Act {
  id: string;
  /** `operator:…`, `key:…`, `system`. */
  actor: string;
  /** Who asked for the same before, where two people are needed. */
  secondActor: string | null;
  action: string;
  amount: number | undefined;
  /** In the words of who asked. */
  reason: string | null;
  at: Date;
}

/** Who asked for what, from the audit log, oldest first. */
export async function actsOn(ctx: Context, chargeId: string): Promise<Act[]> {
  const rows = await inTransaction(ctx, ({ db, account }) =>
    db
      .select()
      .from(auditLog)
      .where(and(eq(auditLog.clientId, account.id), eq(auditLog.object, "charge"), eq(auditLog.objectId, chargeId)))
      .orderBy(desc(auditLog.at), desc(auditLog.id))
      .limit(MOST_ROWS),
  );
  return rows.map(actOf).reverse();
}

export const actOf = ({
  id,
  actor,
  secondActor,
  action,
  after,
  reason,
  accountAt,
}: typeof auditLog.$inferSelect): Act => ({
  id,
  actor,
  secondActor,
  action,
  amount: amountIn(after),
  reason,
  at: accountAt,
});

const amountIn = (after: unknown): number | undefined =>
  typeof after === "object" && after !== null && "amount" in after && typeof after.amount === "number"
    ? after.amount
    : undefined;

export interface LedgerEntry {
  journalId: string;
  type: string;
  at: Date;
  isMemo: boolean;
  /** `seller` is whose account it is, as the person may know them. */
  lines: { account: string; arrangement: string | null; seller: string | null; amount: number }[];
}

/** The journals of a payment with their lines, oldest first; nobody's who may not see the ledger. */
export async function ledgerOf(ctx: Context, role: OperatorRole, chargeId: string): Promise<LedgerEntry[] | undefined> {
  if (!may(role, "ledger.see")) return undefined;
  const rows = await inTransaction(ctx, ({ db, account }) =>
    db
      .select({
        journalId: journals.id,
        type: journals.eventType,
        at: journals.createdAt,
        isMemo: journals.memo,
        account: ledgerAccounts.kind,
        arrangement: ledgerAccounts.arrangement,
        businessName: sellers.businessName,
        ownerName: sellers.ownerName,
        amount: postings.amount,
      })
      .from(journals)
      .innerJoin(postings, eq(postings.journalId, journals.id))
      .innerJoin(ledgerAccounts, eq(ledgerAccounts.id, postings.accountId))
      .leftJoin(sellers, eq(sellers.id, ledgerAccounts.sellerId))
      .where(and(eq(journals.clientId, account.id), eq(journals.chargeId, chargeId)))
      .orderBy(asc(journals.createdAt), asc(journals.id), asc(postings.line))
      .limit(MOST_ROWS),
  );
  const entries = new Map<string, LedgerEntry>();
  const nameOf = sellerNameFor(role);
  for (const { journalId, type, at, isMemo, businessName, ownerName, ...line } of rows) {
    const entry = entries.get(journalId) ?? { journalId, type, at, isMemo, lines: [] };
    entry.lines.push({ ...line, seller: nameOf({ businessName, ownerName }) });
    entries.set(journalId, entry);
  }
  return [...entries.values()];
}

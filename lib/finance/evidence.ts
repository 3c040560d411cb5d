import { and, eq, sql } from "drizzle-orm";
import type { journals } from "@/db/schema/ledger";
import { providers } from "@/db/schema/merchants";
import { payoutBatches, payoutTransfers, sellerAdjustments } from "@/db/schema/payouts";
import { statementLines } from "@/db/schema/settlement";
import type { Context } from "@/lib/context";
import { isUuid } from "@/lib/ids";

/** What a journal was written for, and where it can be looked at. */
export type Evidence =
  | { kind: "payment"; id: string }
  | { kind: "batch"; id: string }
  | { kind: "prepayment"; id: string }
  | { kind: "seller"; id: string }
  | {
      kind: "statement";
      line: Pick<typeof statementLines.$inferSelect, "kind" | "amount" | "cost" | "settledOn" | "externalId">;
      provider: string;
      paymentId: string | null;
    };

type Row = typeof journals.$inferSelect;

export async function evidenceOfJournal(ctx: Context, row: Row): Promise<Evidence | undefined> {
  return (
    (await statementOf(ctx, row)) ??
    (await batchOf(ctx, row)) ??
    prepaymentOf(row) ??
    (await sellerOf(ctx, row)) ??
    (await paymentOf(ctx, row))
  );
}

/** The name of a line is its provider's id and what the provider calls it. */
async function statementOf({ db, account }: Context, { eventId, eventType }: Row): Promise<Evidence | undefined> {
  if (!["settlement", "provider_cost", "suspense"].includes(eventType)) return undefined;
  const [providerId = "", ...rest] = eventId.split(":");
  if (!isUuid(providerId)) return undefined;
  const [found] = await db
    .select({
      line: statementLines,
      provider: providers.name,
      paymentId: sql<
        string | null
      >`(select coalesce(c.purchase_id, c.id) from charges c where c.id = ${statementLines.chargeId})`,
    })
    .from(statementLines)
    .innerJoin(providers, eq(providers.id, statementLines.providerId))
    .where(
      and(
        eq(statementLines.clientId, account.id),
        eq(statementLines.providerId, providerId),
        eq(statementLines.externalId, rest.join(":")),
      ),
    );
  return found && { kind: "statement", ...found };
}

async function batchOf({ db, account }: Context, { eventId, eventType }: Row): Promise<Evidence | undefined> {
  if (!eventType.startsWith("payout") || !isUuid(eventId)) return undefined;
  const [batch] =
    eventType === "payout_returned"
      ? await db
          .select({ id: payoutTransfers.batchId })
          .from(payoutTransfers)
          .where(and(eq(payoutTransfers.clientId, account.id), eq(payoutTransfers.id, eventId)))
      : await db
          .select({ id: payoutBatches.id })
          .from(payoutBatches)
          .where(and(eq(payoutBatches.clientId, account.id), eq(payoutBatches.id, eventId)));
  return batch && { kind: "batch", id: batch.id };
}

function prepaymentOf({ eventId, eventType }: Row): Evidence | undefined {
  const id = eventId.split(":")[0] ?? "";
  return eventType === "prepayment" && isUuid(id) ? { kind: "prepayment", id } : undefined;
}

async function sellerOf({ db, account }: Context, { eventId, eventType }: Row): Promise<Evidence | undefined> {
  if (eventType !== "adjustment" || !isUuid(eventId)) return undefined;
  const [found] = await db
    .select({ id: sellerAdjustments.sellerId })
    .from(sellerAdjustments)
    .where(and(eq(sellerAdjustments.clientId, account.id), eq(sellerAdjustments.id, eventId)));
  return found && { kind: "seller", id: found.id };
}

async function paymentOf({ db }: Context, { chargeId }: Row): Promise<Evidence | undefined> {
  if (chargeId === null) return undefined;
  const [found] = await db.execute<{ id: string }>(
    sql`select coalesce(purchase_id, id) as id from charges where id = ${chargeId}`,
  );
  return found && { kind: "payment", id: found.id };
}

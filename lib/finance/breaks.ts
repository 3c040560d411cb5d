import { and, asc, desc, eq, inArray, isNotNull, isNull, sql } from "drizzle-orm";
import { systemDb } from "@/db/client";
import { merchants, providers } from "@/db/schema/merchants";
import { payoutTransfers } from "@/db/schema/payouts";
import { moneyProposals } from "@/db/schema/proposals";
import { sellers } from "@/db/schema/sellers";
import { settlementBreaks, statementLines } from "@/db/schema/settlement";
import { daysBetween, saoPauloDay } from "@/lib/brazil/bank-calendar";
import { readPosition } from "@/lib/charges/list-position";
import { type Context, inSnapshot, now } from "@/lib/context";
import { notFound } from "@/lib/errors";
import { isUuid } from "@/lib/ids";
import { colleaguesWho } from "@/lib/operators/held-role";
import { namesOf } from "@/lib/operators/names";
import { demand, may } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";
import { type MoneyProposal, openProposals } from "@/lib/proposals/service";
import { shownSeller } from "@/lib/sellers/operator-queries";

const PER_PAGE = 25;

export type BreakRow = typeof settlementBreaks.$inferSelect;

/** What a discrepancy is about, as far as it has a page or a name: the books know some by ids alone. */
export type BreakSubject =
  | { kind: "payment"; id: string; installment: number | undefined }
  | { kind: "batch"; id: string; seller: string }
  | { kind: "line"; name: string; provider: string }
  | { kind: "identity"; name: string; seller: { id: string; name: string } | undefined };

export interface ListedBreak {
  row: BreakRow;
  subject: BreakSubject | undefined;
  merchant: string | null;
  /** Of the payment that it is about. */
  paymentId: string | null;
  owner: string | undefined;
  ageDays: number;
}

export interface BreakPage {
  items: ListedBreak[];
  open: number;
  previous: string | undefined;
  next: string | undefined;
}

interface Filters {
  isClosed: boolean;
  after?: string | undefined;
  before?: string | undefined;
}

const positionOf = ({ openedAt, id }: BreakRow): string => `${openedAt.toISOString()}_${id}`;

const ageOf = (ctx: Context, { openedAt, closedAt }: BreakRow): number =>
  Math.max(0, daysBetween(saoPauloDay(openedAt), saoPauloDay(closedAt ?? now(ctx))));

const selected = ({ db }: Context) =>
  db
    .select({
      row: settlementBreaks,
      merchant: merchants.name,
      paymentId: sql<string | null>`(
        select coalesce(c.purchase_id, c.id) from charges c where c.id = ${settlementBreaks.chargeId})`,
    })
    .from(settlementBreaks)
    .leftJoin(merchants, eq(merchants.id, settlementBreaks.merchantId))
    .$dynamic();

/** Open ones from the oldest on: they are the most urgent; closed ones from the newest on. */
export async function listBreaks(ctx: Context, role: OperatorRole, filters: Filters): Promise<BreakPage> {
  demand(role, "finance.see");
  const { isClosed } = filters;
  const isBackward = filters.before !== undefined;
  const isRising = isClosed === isBackward;
  const order = isRising ? asc : desc;
  const position = readPosition(filters.before ?? filters.after);
  return inSnapshot(ctx, async (inside) => {
    const own = eq(settlementBreaks.clientId, inside.account.id);
    const place = sql`(${settlementBreaks.openedAt}, ${settlementBreaks.id})`;
    const there = position && sql`(${position.at}::timestamptz, ${position.id}::uuid)`;
    const rows = await selected(inside)
      .where(
        and(
          own,
          isClosed ? isNotNull(settlementBreaks.closedAt) : isNull(settlementBreaks.closedAt),
          there && (isRising ? sql`${place} > ${there}` : sql`${place} < ${there}`),
        ),
      )
      .orderBy(order(settlementBreaks.openedAt), order(settlementBreaks.id))
      .limit(PER_PAGE + 1);
    const isMore = rows.length > PER_PAGE;
    const shown = rows.slice(0, PER_PAGE);
    if (isBackward) shown.reverse();
    const names = await namesOf(
      systemDb(),
      ctx.account.id,
      shown.flatMap(({ row }) => row.ownerId ?? []),
    );
    const subjects = await subjectsOf(inside, role, shown);
    const [first, last] = [shown[0]?.row, shown.at(-1)?.row];
    return {
      items: shown.map((each) => ({
        ...each,
        subject: subjects.get(each.row.id),
        owner: each.row.ownerId === null ? undefined : names.get(each.row.ownerId),
        ageDays: ageOf(inside, each.row),
      })),
      open: await inside.db.$count(settlementBreaks, and(own, isNull(settlementBreaks.closedAt))),
      previous: first && (isBackward ? isMore : position !== undefined) ? positionOf(first) : undefined,
      next: last && (isBackward || isMore) ? positionOf(last) : undefined,
    };
  });
}

export interface BreakView extends ListedBreak {
  /** The two people who closed it, and why. */
  closing: { asked: string | undefined; approved: string | undefined; reason: string } | undefined;
  /** Who can be asked to find out about it. */
  people: { id: string; name: string }[];
  /** That it is closed, asked for by somebody and not approved yet. */
  waiting: { id: string; who: string | undefined; reason: string; isOwn: boolean } | undefined;
}

export async function breakView(ctx: Context, role: OperatorRole, id: string): Promise<BreakView> {
  demand(role, "finance.see");
  if (!isUuid(id)) throw notFound("discrepancy");
  return inSnapshot(ctx, async (inside) => {
    const [found] = await selected(inside).where(
      and(eq(settlementBreaks.clientId, inside.account.id), eq(settlementBreaks.id, id)),
    );
    if (!found) throw notFound("discrepancy");
    const { merchantId, ownerId } = found.row;
    const colleagues = may(role, "finance.settle")
      ? (await colleaguesWho(systemDb(), ctx.account.id, "finance.settle")).filter(
          ({ merchants: own }) => own === null || own.includes(merchantId),
        )
      : [];
    const [proposal] = may(role, "finance.settle") ? await openProposals(inside, { subjectId: id }) : [];
    const closed = found.row.closedBy === "people" ? await approvedClosing(inside, id) : undefined;
    const names = await namesOf(systemDb(), ctx.account.id, [
      ...colleagues.map(({ operatorId }) => operatorId),
      ...[ownerId, proposal?.askedBy, closed?.askedBy, closed?.endedBy].flatMap((each) => each ?? []),
    ]);
    const me = ctx.principal.kind === "operator" ? ctx.principal.operatorId : undefined;
    return {
      ...found,
      subject: (await subjectsOf(inside, role, [found])).get(id),
      closing: closed && {
        asked: names.get(closed.askedBy),
        approved: names.get(closed.endedBy ?? ""),
        reason: closed.reason,
      },
      owner: ownerId === null ? undefined : names.get(ownerId),
      ageDays: ageOf(inside, found.row),
      people: colleagues.map(({ operatorId }) => ({ id: operatorId, name: names.get(operatorId) ?? operatorId })),
      waiting: proposal && {
        id: proposal.id,
        who: names.get(proposal.askedBy),
        reason: proposal.reason,
        isOwn: proposal.askedBy === me,
      },
    };
  });
}

/** The newest: what was closed before may have opened again. */
async function approvedClosing({ account, db }: Context, id: string): Promise<MoneyProposal | undefined> {
  const [found] = await db
    .select()
    .from(moneyProposals)
    .where(
      and(
        eq(moneyProposals.clientId, account.id),
        eq(moneyProposals.subjectId, id),
        eq(moneyProposals.kind, "break_closed"),
        eq(moneyProposals.outcome, "approved"),
      ),
    )
    .orderBy(desc(moneyProposals.endedAt))
    .limit(1);
  return found;
}

type Found = Pick<ListedBreak, "row" | "paymentId">;

const isOfTransfer = ({ row: { kind } }: Found): boolean =>
  kind === "transfer_unknown" || kind === "transfer_contradicted";

/** Of an identity its name, and whom it is about. */
const identityIn = ({ row: { subject } }: Found): [name: string, sellerId: string] => {
  const [name = "", sellerId = ""] = subject.split(": ");
  return [name, sellerId];
};

async function subjectsOf(
  { db, account }: Context,
  role: OperatorRole,
  found: readonly Found[],
): Promise<Map<string, BreakSubject>> {
  const transfers = await db
    .select({ id: payoutTransfers.id, batchId: payoutTransfers.batchId, sellerId: payoutTransfers.sellerId })
    .from(payoutTransfers)
    .where(
      and(
        eq(payoutTransfers.clientId, account.id),
        inArray(
          payoutTransfers.id,
          found.filter(isOfTransfer).map(({ row }) => row.subject),
        ),
      ),
    );
  const lines = await db
    .select({
      id: statementLines.id,
      name: sql<string>`coalesce(${statementLines.providerTxId}, ${statementLines.externalId})`,
      provider: providers.name,
    })
    .from(statementLines)
    .innerJoin(providers, eq(providers.id, statementLines.providerId))
    .where(
      and(
        eq(statementLines.clientId, account.id),
        inArray(
          statementLines.id,
          found.filter(({ row }) => row.kind === "settlement_unowned").map(({ row }) => row.subject),
        ),
      ),
    );
  const named = found.filter(({ row }) => row.kind === "identity").map((each) => identityIn(each)[1]);
  const people = await db
    .select()
    .from(sellers)
    .where(
      and(
        eq(sellers.clientId, account.id),
        inArray(sellers.id, [...named.filter(isUuid), ...transfers.map(({ sellerId }) => sellerId)]),
      ),
    );
  const names = new Map(people.map((seller) => [seller.id, shownSeller(role, seller).name]));
  const subjectOf = (each: Found): BreakSubject | undefined => {
    const { row, paymentId } = each;
    if (paymentId !== null) {
      const installment = row.kind === "settlement_missing" ? Number(row.subject.split(":")[1]) : undefined;
      return { kind: "payment", id: paymentId, installment };
    }
    if (isOfTransfer(each)) {
      const transfer = transfers.find(({ id }) => id === row.subject);
      return transfer && { kind: "batch", id: transfer.batchId, seller: names.get(transfer.sellerId) ?? "" };
    }
    if (row.kind === "settlement_unowned") {
      const line = lines.find(({ id }) => id === row.subject);
      return line && { kind: "line", name: line.name, provider: line.provider };
    }
    const [name, id] = identityIn(each);
    const seller = names.get(id);
    return { kind: "identity", name, seller: seller === undefined ? undefined : { id, name: seller } };
  };
  return new Map(
    found.flatMap((each) => {
      const subject = subjectOf(each);
      return subject ? [[each.row.id, subject] as const] : [];
    }),
  );
}

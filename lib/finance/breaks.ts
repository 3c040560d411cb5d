import { and, asc, desc, eq, isNotNull, isNull, sql } from "drizzle-orm";
import { systemDb } from "@/db/client";
import { merchants } from "@/db/schema/merchants";
import { settlementBreaks } from "@/db/schema/settlement";
import { daysBetween, saoPauloDay } from "@/lib/brazil/bank-calendar";
import { readPosition } from "@/lib/charges/search";
import { type Context, inSnapshot, now } from "@/lib/context";
import { notFound } from "@/lib/errors";
import { isUuid } from "@/lib/ids";
import { colleaguesWho } from "@/lib/operators/held-role";
import { namesOf } from "@/lib/operators/names";
import { demand, may } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";
import { openProposals } from "@/lib/proposals/service";

const PER_PAGE = 25;

export type BreakRow = typeof settlementBreaks.$inferSelect;

export interface ListedBreak {
  row: BreakRow;
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
    const [first, last] = [shown[0]?.row, shown.at(-1)?.row];
    return {
      items: shown.map((each) => ({
        ...each,
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
    const names = await namesOf(systemDb(), ctx.account.id, [
      ...colleagues.map(({ operatorId }) => operatorId),
      ...[ownerId, proposal?.askedBy].flatMap((each) => each ?? []),
    ]);
    const me = ctx.principal.kind === "operator" ? ctx.principal.operatorId : undefined;
    return {
      ...found,
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

import { and, asc, desc, eq, isNotNull, isNull, sql } from "drizzle-orm";
import { payoutHolds } from "@/db/schema/payouts";
import { sellers } from "@/db/schema/sellers";
import { type Context, inSnapshot, now } from "@/lib/context";
import { demand } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";
import { shownSeller } from "@/lib/sellers/operator-queries";
import { balancesOfSellers } from "@/lib/sellers/own-figures";

/** More than these are not looked through by people. */
const MOST_HOLDS = 200;

export interface ShownHold {
  id: string;
  seller: { id: string; name: string };
  /** `new_account`: nothing leaves for a bank account that was changed a moment ago. */
  cause: (typeof payoutHolds.$inferSelect)["cause"] | "new_account";
  reason: string | null;
  since: Date | null;
  until: Date | null;
  liftedAt: Date | null;
  /** What waits meanwhile. */
  available: number;
}

/** Of a row after which a page begins: a hold, or a seller whose bank account was changed. */
export type HoldPosition = Pick<ShownHold, "id" | "cause" | "since" | "until">;

interface HoldsPage {
  items: ShownHold[];
  next: HoldPosition | undefined;
}

/** Why nothing is transferred to some sellers: those that stand, and when asked for those that were lifted. */
export async function listHolds(
  ctx: Context,
  role: OperatorRole,
  isLifted: boolean,
  { after, limit = MOST_HOLDS }: { after?: HoldPosition | undefined; limit?: number } = {},
): Promise<HoldsPage> {
  demand(role, "payouts.see");
  return inSnapshot(ctx, async (inside) => {
    const rows = after?.until ? [] : await holdsAfter(inside, isLifted, after, limit + 1);
    const room = limit + 1 - rows.length;
    const waiting = isLifted || room === 0 ? [] : await waitingAfter(inside, after, room);
    const balances = await balancesOfSellers(inside, [...rows.map(({ seller }) => seller), ...waiting]);
    const of = (seller: typeof sellers.$inferSelect) => ({
      seller: { id: seller.id, name: shownSeller(role, seller).name },
      available: balances.get(seller.id)?.available ?? 0,
    });
    const shown: ShownHold[] = [
      ...rows.map(({ hold, seller }) => ({
        id: hold.id,
        ...of(seller),
        cause: hold.cause,
        reason: hold.reason,
        since: hold.createdAt,
        until: null,
        liftedAt: hold.liftedAt,
      })),
      ...waiting.map((seller) => ({
        id: seller.id,
        ...of(seller),
        cause: "new_account" as const,
        reason: null,
        since: null,
        until: seller.transfersHeldUntil,
        liftedAt: null,
      })),
    ];
    const items = shown.slice(0, limit);
    return { items, next: shown.length > limit ? items.at(-1) : undefined };
  });
}

/** The newest first. */
const holdsAfter = ({ db, account }: Context, isLifted: boolean, after: HoldPosition | undefined, limit: number) =>
  db
    .select({ hold: payoutHolds, seller: sellers })
    .from(payoutHolds)
    .innerJoin(sellers, eq(sellers.id, payoutHolds.sellerId))
    .where(
      and(
        eq(payoutHolds.clientId, account.id),
        isLifted ? isNotNull(payoutHolds.liftedAt) : isNull(payoutHolds.liftedAt),
        isNull(sellers.deletedAt),
        after?.since
          ? sql`(${payoutHolds.createdAt}, ${payoutHolds.id}) < (${after.since.toISOString()}::timestamptz, ${after.id}::uuid)`
          : undefined,
      ),
    )
    .orderBy(desc(payoutHolds.createdAt), desc(payoutHolds.id))
    .limit(limit);

/** Nothing leaves for a bank account that was changed a moment ago; those that end first. */
const waitingAfter = (ctx: Context, after: HoldPosition | undefined, limit: number) =>
  ctx.db
    .select()
    .from(sellers)
    .where(
      and(
        eq(sellers.clientId, ctx.account.id),
        isNull(sellers.deletedAt),
        sql`${sellers.transfersHeldUntil} > ${now(ctx).toISOString()}`,
        after?.until
          ? sql`(${sellers.transfersHeldUntil}, ${sellers.id}) > (${after.until.toISOString()}::timestamptz, ${after.id}::uuid)`
          : undefined,
      ),
    )
    .orderBy(asc(sellers.transfersHeldUntil), asc(sellers.id))
    .limit(limit);

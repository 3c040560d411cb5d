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

/** Why nothing is transferred to some sellers: those that stand, and when asked for those that were lifted. */
export async function listHolds(
  ctx: Context,
  role: OperatorRole,
  isLifted: boolean,
  most = MOST_HOLDS,
): Promise<ShownHold[]> {
  demand(role, "payouts.see");
  return inSnapshot(ctx, async (inside) => {
    const { db, account } = inside;
    const rows = await db
      .select({ hold: payoutHolds, seller: sellers })
      .from(payoutHolds)
      .innerJoin(sellers, eq(sellers.id, payoutHolds.sellerId))
      .where(
        and(
          eq(payoutHolds.clientId, account.id),
          isLifted ? isNotNull(payoutHolds.liftedAt) : isNull(payoutHolds.liftedAt),
          isNull(sellers.deletedAt),
        ),
      )
      .orderBy(desc(payoutHolds.createdAt), desc(payoutHolds.id))
      .limit(most);
    const waiting = isLifted
      ? []
      : await db
          .select()
          .from(sellers)
          .where(
            and(
              eq(sellers.clientId, account.id),
              isNull(sellers.deletedAt),
              sql`${sellers.transfersHeldUntil} > ${now(inside).toISOString()}`,
            ),
          )
          .orderBy(asc(sellers.transfersHeldUntil), asc(sellers.id))
          .limit(most);
    const balances = await balancesOfSellers(inside, [...rows.map(({ seller }) => seller), ...waiting]);
    const of = (seller: typeof sellers.$inferSelect) => ({
      seller: { id: seller.id, name: shownSeller(role, seller).name },
      available: balances.get(seller.id)?.available ?? 0,
    });
    return [
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
  });
}

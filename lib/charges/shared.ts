import { sql } from "drizzle-orm";
import { type Context, inTransaction } from "@/lib/context";
import { may } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";

/** What of the fee goes back with a refund. */
export type Refundable = "none" | "mdr" | "all";

/** Who gets what of a payment, and what decided it. */
export interface SharedPart {
  chargeId: string;
  sellerId: string;
  /** Null where it is a person and people's names are not for everybody. */
  name: string | null;
  percentageBps: number | null;
  amount: number | null;
  liable: boolean;
  bearsFee: boolean;
  /** Null before the capture. */
  share: number | null;
  processing: number;
  fares: number;
  refunded: number;
  /** The row of prices: its plan, null for the merchant's platform fee or where nothing was charged. */
  plan: { id: string; name: string; isDefault: boolean } | null;
  rate: { percentageBps: number; fixedAmount: number; refundable: Refundable } | null;
  isPlatformFee: boolean;
}

const MOST_PARTS = 300;

interface Named {
  businessName: string | null;
  ownerName: string | null;
}

/** A company's name is nobody's in particular; a person's is for those who see people. */
export const sellerNameFor =
  (role: OperatorRole) =>
  ({ businessName, ownerName }: Named): string | null =>
    businessName ?? (may(role, "buyers.see") ? ownerName : null);

/** Nobody's who may not see sellers. */
export async function sharedPartsOf(
  ctx: Context,
  role: OperatorRole,
  chargeIds: readonly string[],
): Promise<SharedPart[]> {
  if (!may(role, "sellers.see") || chargeIds.length === 0) return [];
  const nameOf = sellerNameFor(role);
  const rows = await inTransaction(ctx, ({ db, account }) =>
    db.execute<Record<string, unknown>>(sql`
      select s.charge_id as "chargeId", s.seller_id as "sellerId", l.business_name as "businessName",
             l.owner_name as "ownerName", s.percentage_bps as "percentageBps", s.amount::float8 as amount, s.liable,
             s.processing_fee or s.charge_entire_fee as "bearsFee", s.captured_share::float8 as share,
             coalesce(s.processing, 0)::float8 as processing, coalesce(s.fares, 0)::float8 as fares,
             s.refunded_share::float8 as refunded, s.rate_id is not null as "hasRate",
             p.id as "planId", p.name as "planName", p.is_default as "isDefault", r.percentage_bps as "rateBps",
             r.fixed_amount::float8 as "rateFixed", r.refundable
        from split_rules s
        left join sellers l on l.id = s.seller_id
        left join sale_plan_rates r on r.id = s.rate_id and r.client_id = s.client_id
        left join sale_plans p on p.id = r.plan_id
       where s.client_id = ${account.id} and s.charge_id = any(${`{${chargeIds.join(",")}}`}::uuid[])
       order by s.charge_id, s.position limit ${MOST_PARTS}`),
  );
  // Guarantee: as the statement above names and types them.
  return [...rows].map((row) => {
    const { businessName, ownerName, planId, planName, isDefault, rateBps, rateFixed, refundable, hasRate, ...part } =
      row as unknown as Found;
    return {
      ...part,
      name: nameOf({ businessName, ownerName }),
      plan: planId === null ? null : { id: planId, name: planName ?? "", isDefault: isDefault ?? false },
      rate:
        rateBps === null
          ? null
          : { percentageBps: rateBps, fixedAmount: rateFixed ?? 0, refundable: refundable ?? "mdr" },
      isPlatformFee: hasRate && planId === null,
    };
  });
}

interface Found extends Named, Omit<SharedPart, "name" | "plan" | "rate" | "isPlatformFee"> {
  planId: string | null;
  planName: string | null;
  isDefault: boolean | null;
  rateBps: number | null;
  rateFixed: number | null;
  refundable: Refundable | null;
  hasRate: boolean;
}

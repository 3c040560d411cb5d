import { brokenOf } from "@/lib/testing/audited";
import { type OrderGiven, ordersOf } from "@/lib/testing/simulator/orders";
import { drawsFor } from "@/lib/testing/simulator/seeded";
import type { Shop } from "@/lib/testing/simulator/shop";
import type { World } from "@/lib/testing/simulator/world";

/** Below these nobody bears a fee: it could be more than a share, and the order be refused. */
const LEAST_CARD_WITH_FEE = 5_000;
const LEAST_SHARE_WITH_FEE = 20;

/** Members of a body that has sellers; none where the schedule has none. */
export function sharedBy({ name, isSplit }: OrderGiven, { sellerIds }: Shop, cards: readonly number[]) {
  if (!isSplit) return {};
  const draws = drawsFor(`split of ${name}`);
  const isByAmount = draws.chance(0.4);
  const mayBear = Math.min(...cards) >= LEAST_CARD_WITH_FEE;
  const total = cards.reduce((sum, card) => sum + card, 0);
  let left = 100;
  const count = draws.between(1, sellerIds.length);
  const splitRules = sellerIds.slice(0, count).map((sellerId, index) => {
    const share = draws.between(1, left - (count - 1 - index));
    left -= share;
    return {
      sellerId,
      ...(isByAmount ? { amount: Math.max(1, Math.floor((total * share) / 100)) } : { percentage: share }),
      liable: draws.chance(0.5),
      processingFee: draws.chance(0.5) && mayBear && share >= LEAST_SHARE_WITH_FEE,
    };
  });
  return { splitRules };
}

/** spec/invariants.md P of each charge of the schedule, and of each seller what it has of it. */
export async function wrongsOfSplits(world: World, { owner }: Shop): Promise<string[]> {
  const orders = `'${ordersOf(world.seed).join("', '")}'`;
  const picked = `select c.id from charges c left join purchases p on p.id = c.purchase_id
    where coalesce(p.order_id, c.order_id) in (${orders}) and c.review_reason is null and p.review_reason is null
      and c.operation is null`;
  const broken = await brokenOf(owner.sql, picked);
  const [counted] = await owner.sql.unsafe<{ shared: number; captured: number; refunded: number }[]>(`
    select count(distinct s.charge_id)::int as shared,
           count(distinct s.charge_id) filter (where s.captured_share is not null)::int as captured,
           count(distinct s.charge_id) filter (where s.refunded_share > 0)::int as refunded
      from split_rules s where s.charge_id in (${picked})`);
  world.count("sharedCharges", counted?.shared ?? 0);
  world.count("sharedCaptures", counted?.captured ?? 0);
  world.count("sharedRefunds", counted?.refunded ?? 0);
  return broken.map(({ wrong }) => wrong);
}

import { sql } from "drizzle-orm";
import { systemDb } from "@/db/client";
import { flows } from "@/db/schema/flows";
import { type Context, inSnapshot } from "@/lib/context";
import { getFlow, rootOf } from "@/lib/flows/queries";
import { turnOffSide } from "@/lib/flows/service";
import { countSides, sharesIn } from "@/lib/flows/trials/sides";
import { failingSides, type SideCount } from "@/lib/flows/trials/verdict";

const MOST_LOOKED_AT = 200;

/** Of all accounts: active flows with a guardrail anywhere in them. */
export const guardedFlows = (): Promise<{ clientId: string; id: string }[]> =>
  systemDb()
    .select({ clientId: flows.clientId, id: flows.id })
    .from(flows)
    .where(sql`${flows.status} = 'active' and ${flows.root} @? '$.**.guardrail'`)
    // Where there are more, each has its turn.
    .orderBy(sql`random()`)
    .limit(MOST_LOOKED_AT);

/** Turns off the first side that its guardrail no longer bears; answers whether there was one. Idempotent. */
export async function guardFlow(ctx: Context, id: string): Promise<boolean> {
  const found = await inSnapshot(ctx, async (inside) => {
    const flow = await getFlow(inside, id);
    if (flow.status !== "active") return undefined;
    for (const share of sharesIn(rootOf(flow))) {
      if (share.trial?.guardrail === undefined) continue;
      // The announced sample bounds what a winner is told from; a fall is looked for in all payments.
      const sides = await countSides(inside, id, { id: share.id, weights: share.weights });
      const [side] = failingSides(sides, share.trial.guardrail);
      if (side !== undefined) return { share: share.id, side, note: noteOf(sides, side) };
    }
    return undefined;
  });
  if (!found) return false;
  return turnOffSide(ctx, id, found);
}

/** In figures alone: history is read in every language. */
function noteOf(sides: readonly SideCount[], side: number): string {
  const shown = (place: number): string => {
    const { payments = 0, approved = 0 } = sides[place] ?? {};
    return `${place + 1}: ${approved}/${payments} (${((100 * approved) / Math.max(1, payments)).toFixed(1)} %)`;
  };
  return `${shown(side)} < ${shown(0)}`;
}

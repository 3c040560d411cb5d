import { sql } from "drizzle-orm";
import type { Context } from "@/lib/context";
import { SUCCEEDED } from "@/lib/flows/replays/reading";
import type { FlowNode, FlowNodes, ShareNode } from "@/lib/flows/rules/nodes";
import type { SideCount } from "@/lib/flows/trials/verdict";

/** Every share with several sides, wherever it stands. */
export function sharesIn(nodes: FlowNodes): ShareNode[] {
  return nodes.flatMap((node) => {
    const inside = branches(node).flatMap(sharesIn);
    return node.rule === "share" && node.weights.length > 1 ? [node, ...inside] : inside;
  });
}

function branches(node: FlowNode): readonly FlowNodes[] {
  switch (node.rule) {
    case "condition":
      return [node.then, node.else];
    case "share":
      return node.weights.map(({ then }) => then);
    case "provider":
      return node.on ? [node.on.then] : [];
    default:
      return [];
  }
}

/**
 * What the payments of each side came to since the version decides. With a trial the first `sample` of each side count
 * and no others, so that whoever looks again later sees the same; without one, all of them.
 */
export async function countSides(
  ctx: Context,
  flowId: string,
  { id, weights, trial }: Pick<ShareNode, "id" | "weights" | "trial">,
): Promise<SideCount[]> {
  const rows = await ctx.db.execute<{ side: number; payments: number; approved: number }>(sql`
    select side, count(*)::int as payments, (count(*) filter (where is_approved))::int as approved
      from (select split_part(p.node, ':', 2)::int as side, c.status in ${SUCCEEDED} as is_approved,
                   row_number() over (partition by p.node order by d.created_at, d.charge_id) as place
              from routing_decisions d join charges c on c.id = d.charge_id cross join lateral unnest(d.path) p(node)
             where d.client_id = ${ctx.account.id} and d.flow_id = ${flowId} and c.status <> 'pending'
               and p.node ~ ${`^${id}:[0-9]+$`}) seen
     where place <= ${trial?.sample ?? null}::int or ${trial?.sample ?? null}::int is null group by side`);
  return weights.map((_, side) => {
    const found = rows.find((row) => row.side === side);
    return { payments: found?.payments ?? 0, approved: found?.approved ?? 0 };
  });
}

/** A flow in which a share has one side less; its volume goes to the first. The last side stays alone, without a test. */
export function withoutSide(nodes: FlowNodes, shareId: string, side: number): FlowNode[] {
  return changed(nodes, shareId, (share) => {
    const gone = share.weights[side]?.weight ?? 0;
    const weights = share.weights
      .map((one, place) => (place === 0 ? { ...one, weight: one.weight + gone } : one))
      .filter((_, place) => place !== side);
    const { trial, ...plain } = share;
    return [{ ...plain, weights, ...(trial && weights.length > 1 ? { trial } : {}) }];
  });
}

/** A flow in which the steps of one side stand in the place of its share. */
export const adopting = (nodes: FlowNodes, shareId: string, side: number): FlowNode[] =>
  changed(nodes, shareId, (share) => share.weights[side]?.then ?? []);

function changed(nodes: FlowNodes, shareId: string, change: (share: ShareNode) => FlowNodes): FlowNode[] {
  const within = (inside: FlowNodes): FlowNode[] => changed(inside, shareId, change);
  return nodes.flatMap((node): FlowNodes => {
    switch (node.rule) {
      case "share":
        if (node.id === shareId) return change(node);
        return [{ ...node, weights: node.weights.map((one) => ({ ...one, then: within(one.then) })) }];
      case "condition":
        return [{ ...node, then: within(node.then), else: within(node.else) }];
      case "provider":
        return [node.on ? { ...node, on: { ...node.on, then: within(node.on.then) } } : node];
      default:
        return [node];
    }
  });
}

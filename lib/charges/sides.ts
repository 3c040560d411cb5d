import { routingDecisions } from "@/db/schema/charges";
import { findRows } from "@/db/statements";
import type { Charge } from "@/lib/charges/queries";
import type { Context } from "@/lib/context";
import type { FlowNode, Test } from "@/lib/flows/rules/nodes";
import { newId } from "@/lib/ids";
import { routeChoicesOf } from "@/lib/payments/routing/choices";
import { decide } from "@/lib/payments/routing/decide-by-flow";
import type { RoutingFacts } from "@/lib/payments/routing/facts";
import { measuresFor } from "@/lib/payments/routing/measures";
import { type RoutedProvider, toRouted } from "@/lib/payments/routing/provider";
import type { PlanBody } from "@/lib/plans/schema";

export interface Sides {
  flow: PlanBody["flow"];
  providers: readonly RoutedProvider[];
}

/** All that `random` can be. */
const PERCENT = 100;

/**
 * Who would be asked. The real call has another id, and chance decides by the id: where its flow leaves anything to
 * chance, those of every side are listed (spec/rulings.md 13).
 */
export async function sidesOf(ctx: Context, charge: Charge, provider: RoutedProvider): Promise<Sides> {
  const own = charge.providers ?? [provider];
  const [decided] = await findRows(ctx.db, routingDecisions, { chargeId: charge.row.id });
  if (!decided?.flowId || !decided.flowVersion) return { flow: null, providers: own };
  const flow = { id: decided.flowId, version: decided.flowVersion };
  // Guarantee: the row was written from these facts in this transaction.
  const facts = decided.facts as unknown as RoutingFacts;
  const choices = await routeChoicesOf(ctx, charge.row.merchantId, facts.method);
  const isBuyerKnown = facts.buyer !== facts.unit;
  if (!choices.flow || !leavesToChance(choices.flow.root, isBuyerKnown)) {
    return { flow: { ...flow, isDrawn: false }, providers: own };
  }
  const measures = await measuresFor(ctx, choices, facts);
  const ids = new Set<string>();
  for (let random = 0; random < PERCENT; random++) {
    const unit = newId();
    const drawn = { ...facts, unit, buyer: isBuyerKnown ? facts.buyer : unit };
    // Nested shares are independent of each other, which one number for all of them is not.
    for (const one of [{ ...drawn, random }, drawn]) {
      for (const id of decide(one, choices, measures).providers) ids.add(id);
    }
  }
  const providers = choices.rows.filter(({ id }) => ids.has(id)).map(toRouted);
  return { flow: { ...flow, isDrawn: true }, providers };
}

function leavesToChance(nodes: readonly FlowNode[], isBuyerKnown: boolean): boolean {
  return nodes.some((node) => {
    switch (node.rule) {
      case "share":
        return (
          node.by === "random" || !isBuyerKnown || node.weights.some(({ then }) => leavesToChance(then, isBuyerKnown))
        );
      case "best":
        return node.explore > 0;
      case "condition":
        return (
          testsChance(node.if, isBuyerKnown) ||
          leavesToChance(node.then, isBuyerKnown) ||
          leavesToChance(node.else, isBuyerKnown)
        );
      case "provider":
        return leavesToChance(node.on?.then ?? [], isBuyerKnown);
      default:
        return false;
    }
  });
}

const testsChance = (test: Test, isBuyerKnown: boolean): boolean => {
  if ("all" in test) return test.all.some((one) => testsChance(one, isBuyerKnown));
  if ("any" in test) return test.any.some((one) => testsChance(one, isBuyerKnown));
  return test.field === "random" || (test.field === "bucket" && !isBuyerKnown);
};

import { charges, routingDecisions } from "@/db/schema/charges";
import { findRows } from "@/db/statements";
import { type Context, now } from "@/lib/context";
import { DomainError, invalid } from "@/lib/errors";
import { acceptRoot } from "@/lib/flows/accept";
import { type FlowRow, findFlow, rootOf, versionOf } from "@/lib/flows/queries";
import type { Measures, SeenNode } from "@/lib/flows/rules/evaluate";
import type { FlowSimulation, SimulatedFacts } from "@/lib/flows/schema-simulation";
import { newId } from "@/lib/ids";
import { findMerchant } from "@/lib/merchants/queries";
import { type DecidingFlow, isFlowMethod, routeChoicesOf } from "@/lib/payments/routing/choices";
import type { RouteDecision } from "@/lib/payments/routing/decide";
import { decide } from "@/lib/payments/routing/decide-by-flow";
import { drawnFacts, type RoutingFacts } from "@/lib/payments/routing/facts";
import { measuresFor } from "@/lib/payments/routing/measures";

export interface Simulated {
  /** Those said, those left as usual and those drawn. */
  facts: RoutingFacts;
  decision: RouteDecision;
  conditions: SeenNode[];
}

/** Of a payment that says none. */
export const USUAL_AMOUNT = 10_000;

interface Subject {
  merchantId: string;
  facts: RoutingFacts;
  /** Those of the payment, where it is one that was made. */
  measures?: Measures | undefined;
}

/**
 * What a flow would make of a payment, with what each of its conditions sees. Nothing is written. The same `unit` sees
 * the same sides of shares.
 */
export async function simulateFlow(
  ctx: Context,
  { flowId, flow, facts, chargeId }: FlowSimulation,
  unit = newId(),
): Promise<Simulated> {
  const subject =
    chargeId === undefined ? await describedBy(ctx, facts ?? {}, flowId, unit) : await madeBefore(ctx, chargeId);
  const tried = flowId === undefined ? await inlineFlow(ctx, flow?.root, subject) : await storedFlow(ctx, flowId);
  const choices = await routeChoicesOf(ctx, subject.merchantId, subject.facts.method, tried);
  const conditions: SeenNode[] = [];
  const measures = subject.measures ?? (await measuresFor(ctx, choices, subject.facts));
  return { facts: subject.facts, decision: decide(subject.facts, choices, measures, conditions), conditions };
}

/** A payment that nobody made: what is not said is as usual. */
export function describedFacts(
  { merchantId: _, paymentMethod: __, ...said }: SimulatedFacts,
  { method, at, unit }: { method: RoutingFacts["method"]; at: Date; unit: string },
): RoutingFacts {
  return {
    amount: USUAL_AMOUNT,
    installments: 1,
    currency: "BRL",
    source: "api",
    method,
    split: false,
    threeDS: false,
    authOnly: false,
    fraudAnalysis: true,
    ...drawnFacts(at, unit, undefined),
    ...Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined)),
  };
}

async function existingFlow(ctx: Context, id: string): Promise<FlowRow> {
  const row = await findFlow(ctx, id);
  if (!row) throw new DomainError("flow_not_found", "the flow does not exist");
  return row;
}

async function storedFlow(ctx: Context, id: string): Promise<DecidingFlow> {
  const row = await existingFlow(ctx, id);
  return { id: row.id, version: versionOf(row), family: row.familyId, root: rootOf(row) };
}

async function inlineFlow(ctx: Context, given: unknown, { merchantId, facts }: Subject): Promise<DecidingFlow> {
  const { method } = facts;
  if (!isFlowMethod(method)) throw invalid("facts.paymentMethod: no flow decides payments by it");
  const root = await acceptRoot(ctx, given, { paymentMethod: method, merchantIds: [merchantId] });
  const id = newId();
  return { id, version: "1.0.0", family: id, root };
}

async function describedBy(
  ctx: Context,
  given: SimulatedFacts,
  flowId: string | undefined,
  unit: string,
): Promise<Subject> {
  const stored = flowId === undefined ? undefined : await existingFlow(ctx, flowId);
  const merchantId = given.merchantId ?? stored?.merchantIds[0];
  const method = given.paymentMethod ?? stored?.paymentMethod;
  if (merchantId === undefined || method === undefined) {
    throw invalid("facts: merchantId and paymentMethod are needed where no flow says them");
  }
  if (!(await findMerchant(ctx, merchantId)))
    throw new DomainError("merchant_not_found", "the merchant does not exist");
  return { merchantId, facts: describedFacts(given, { method, at: now(ctx), unit }) };
}

/** As it was decided: its facts and measures, with today's providers. */
async function madeBefore(ctx: Context, chargeId: string): Promise<Subject> {
  const [[charge], [record]] = [
    await findRows(ctx.db, charges, { clientId: ctx.account.id, id: chargeId }),
    await findRows(ctx.db, routingDecisions, { clientId: ctx.account.id, chargeId }),
  ];
  if (!charge || !record) throw invalid("chargeId: no such charge");
  return {
    merchantId: charge.merchantId,
    // Guarantee: written from facts, and never changed.
    facts: record.facts as unknown as RoutingFacts,
    measures: (record.measures ?? undefined) as Measures | undefined,
  };
}

import { and, asc, eq } from "drizzle-orm";
import { flowTests } from "@/db/schema/flows";
import { actorOf, audit } from "@/lib/audit";
import { type Context, inTransaction, now } from "@/lib/context";
import { DomainError, invalid, notFound } from "@/lib/errors";
import { type FlowRow, getFlow, providersNamed, rootOf, versionOf } from "@/lib/flows/queries";
import { redecide } from "@/lib/flows/replays/compare";
import type { ChallengeMode } from "@/lib/flows/rules/nodes";
import type { SimulatedFacts } from "@/lib/flows/schema-simulation";
import { describedFacts } from "@/lib/flows/simulate";
import { newId } from "@/lib/ids";
import { type Choices, routeChoicesOf } from "@/lib/payments/routing/choices";

export type FlowTestRow = typeof flowTests.$inferSelect;

/** What a payment must come to. */
export interface Expected {
  /** First choice first. */
  providers: string[];
  analyst: string | null;
  challenge: ChallengeMode | null;
}

export interface TestResult {
  test: FlowTestRow;
  expected: Expected;
  /** What the version makes of it; undefined where its merchant is none of the version's. */
  found: Expected | undefined;
  isMet: boolean;
}

export const MOST_TESTS = 50;
const LONGEST_NAME = 100;

export interface NewTest {
  name: string;
  facts: SimulatedFacts;
  unit: string;
}

/** Keeps what this version makes of a described payment: from now on no version of the flow is activated that differs. */
export async function saveTest(ctx: Context, flowId: string, { name, facts, unit }: NewTest): Promise<void> {
  if (name === "" || name.length > LONGEST_NAME) throw invalid(`name: must have 1 to ${LONGEST_NAME} characters`);
  await inTransaction(ctx, async (inside) => {
    const flow = await getFlow(inside, flowId);
    const merchantId = facts.merchantId ?? flow.merchantIds[0];
    if (merchantId === undefined || !flow.merchantIds.includes(merchantId)) {
      throw new DomainError("merchant_not_found", "the flow does not decide for this merchant");
    }
    const kept = await inside.db.$count(flowTests, ofFamily(inside, flow));
    if (kept >= MOST_TESTS) throw invalid(`name: a flow keeps at most ${MOST_TESTS} tests`);
    const id = newId();
    const row = {
      id,
      clientId: inside.account.id,
      familyId: flow.familyId,
      merchantId,
      name,
      facts: { ...facts },
      unit,
      actor: actorOf(inside),
      createdAt: now(inside),
    };
    const expected = await planning(inside, flow)(row);
    await inside.db.insert(flowTests).values({ ...row, expected: { ...expected } });
    await audit(inside, { action: "flow.test_saved", object: "flow", objectId: flow.id, after: { test: name } });
  });
}

export async function removeTest(ctx: Context, flowId: string, id: string): Promise<void> {
  await inTransaction(ctx, async (inside) => {
    const flow = await getFlow(inside, flowId);
    const [removed] = await inside.db
      .delete(flowTests)
      .where(and(ofFamily(inside, flow), eq(flowTests.id, id)))
      .returning({ name: flowTests.name });
    if (!removed) throw notFound("test");
    const before = { test: removed.name };
    await audit(inside, { action: "flow.test_removed", object: "flow", objectId: flow.id, before });
  });
}

/** Every test of the flow held against one of its versions, the oldest first. */
export async function runTests(ctx: Context, flow: FlowRow): Promise<TestResult[]> {
  const tests = await ctx.db
    .select()
    .from(flowTests)
    .where(ofFamily(ctx, flow))
    .orderBy(asc(flowTests.createdAt), asc(flowTests.id));
  const plan = planning(ctx, flow);
  const results: TestResult[] = [];
  for (const test of tests) {
    // Guarantee: written by `saveTest`, and never changed.
    const expected = test.expected as unknown as Expected;
    const found = flow.merchantIds.includes(test.merchantId) ? await plan(test) : undefined;
    results.push({ test, expected, found, isMet: !found || isAsExpected(found, expected) });
  }
  return results;
}

/** Before a version decides: refused with every test that it fails. */
export async function holdAgainstTests(ctx: Context, flow: FlowRow): Promise<void> {
  const failed = (await runTests(ctx, flow)).filter(({ isMet }) => !isMet);
  if (failed.length === 0) return;
  const ids = failed.flatMap(({ expected, found }) => [...expected.providers, ...(found?.providers ?? [])]);
  const names = new Map((await providersNamed(ctx, [...new Set(ids)])).map(({ id, name }) => [id, name]));
  const told = ({ providers, analyst, challenge }: Expected): string =>
    [
      providers.map((id) => names.get(id) ?? id).join(" > ") || "nobody",
      ...(analyst ? [`analysis by ${names.get(analyst) ?? analyst}`] : []),
      ...(challenge ? [`challenge ${challenge}`] : []),
    ].join(", ");
  throw new DomainError("flow_invalid", "the version fails tests that were saved for its flow", {
    details: failed.map(
      ({ test, expected, found }) => `test ${test.name}: expected ${told(expected)}; is ${found ? told(found) : ""}`,
    ),
  });
}

const ofFamily = (ctx: Context, { familyId }: Pick<FlowRow, "familyId">) =>
  and(eq(flowTests.clientId, ctx.account.id), eq(flowTests.familyId, familyId));

type Described = Pick<FlowTestRow, "merchantId" | "facts" | "unit" | "createdAt">;

/** By the rules alone: who is paused or out of reach today is asked all the same, and nothing was measured. */
function planning(ctx: Context, flow: FlowRow): (test: Described) => Promise<Expected> {
  const tried = { id: flow.id, version: versionOf(flow), family: flow.familyId, root: rootOf(flow) };
  const known = new Map<string, Promise<Choices>>();
  const choicesFor = async (merchantId: string): Promise<Choices> => {
    const choices = await routeChoicesOf(ctx, merchantId, flow.paymentMethod, tried);
    return { ...choices, rows: choices.rows.map((row) => ({ ...row, pausedAt: null })) };
  };
  return async ({ merchantId, facts: said, unit, createdAt }) => {
    const choices = known.get(merchantId) ?? choicesFor(merchantId);
    known.set(merchantId, choices);
    // Guarantee: as they were read when the test was saved.
    const facts = describedFacts(said as SimulatedFacts, { method: flow.paymentMethod, at: createdAt, unit });
    const { providers, fraudProvider, challenge } = redecide({ facts, measures: undefined }, await choices);
    return { providers, analyst: fraudProvider, challenge: challenge ?? null };
  };
}

const isAsExpected = (found: Expected, expected: Expected): boolean =>
  found.providers.join() === expected.providers.join() &&
  found.analyst === expected.analyst &&
  found.challenge === expected.challenge;

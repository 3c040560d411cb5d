import type { FlowMethod } from "@/db/schema/flows";
import { providers } from "@/db/schema/merchants";
import { findRows } from "@/db/statements";
import { type Context, now } from "@/lib/context";
import { notFound } from "@/lib/errors";
import { activeOf, type FlowRow, rootOf, versionOf } from "@/lib/flows/queries";
import { redecide } from "@/lib/flows/replays/compare";
import { type DecidedPayment, newestDecided } from "@/lib/flows/replays/reading";
import { type Choices, routeChoicesOf } from "@/lib/payments/routing/choices";
import type { RouteDecision } from "@/lib/payments/routing/decide";
import { addSeconds, DAY_SECONDS } from "@/lib/time";

/** What a change would have made of the last payments it concerns. */
export interface Effect {
  /** Looked at: the newest of the last days. */
  payments: number;
  /** Another provider would have been tried first. */
  moved: number;
  /** Nobody could have taken them. */
  unserved: number;
  /** Payments by who is tried first; of providers that some of them come to, or leave. */
  providers: { id: string; before: number; after: number }[];
}

export const REHEARSED = 1_000;
export const REHEARSED_DAYS = 30;

type Subject = Pick<FlowRow, "merchantIds" | "paymentMethod">;
type Decide = (decided: DecidedPayment) => Promise<RouteDecision>;

/** Of activating a version, against what decides for its merchants now. */
export async function effectOfActivation(ctx: Context, flow: FlowRow): Promise<Effect> {
  const tried = { id: flow.id, version: versionOf(flow), family: flow.familyId, root: rootOf(flow) };
  return rehearse(ctx, flow, {
    before: deciding((merchantId) => routeChoicesOf(ctx, merchantId, flow.paymentMethod)),
    after: deciding((merchantId) => routeChoicesOf(ctx, merchantId, flow.paymentMethod, tried)),
  });
}

/** Of archiving a flow: its merchants go back to their priorities. */
export async function effectOfArchival(ctx: Context, flow: FlowRow): Promise<Effect> {
  const present = (merchantId: string) => routeChoicesOf(ctx, merchantId, flow.paymentMethod);
  return rehearse(ctx, flow, {
    before: deciding(present),
    after: deciding(async (merchantId) => ({ ...(await present(merchantId)), flow: undefined, elsewhere: new Map() })),
  });
}

export interface PauseEffect {
  provider: { id: string; name: string; merchantId: string; isPaused: boolean };
  methods: { method: FlowMethod; effect: Effect }[];
}

/** Of pausing a provider, or of taking it back, by each method that its merchant was paid with. */
export async function effectOfPause(
  ctx: Context,
  providerId: string,
  methods: readonly FlowMethod[],
): Promise<PauseEffect> {
  const [row] = await findRows(ctx.db, providers, { clientId: ctx.account.id, id: providerId });
  if (!row || row.deletedAt) throw notFound("provider");
  const isPaused = row.pausedAt !== null;
  const turned = (choices: Choices, isOff: boolean): Choices => ({
    ...choices,
    rows: choices.rows.map((one) =>
      one.id === providerId ? { ...one, pausedAt: isOff ? (one.pausedAt ?? now(ctx)) : null } : one,
    ),
  });
  const effects = [];
  for (const method of methods) {
    const choices = async (merchantId: string) => routeChoicesOf(ctx, merchantId, method);
    const effect = await rehearse(
      ctx,
      { merchantIds: [row.merchantId], paymentMethod: method },
      {
        before: deciding(async (merchantId) => turned(await choices(merchantId), isPaused)),
        after: deciding(async (merchantId) => turned(await choices(merchantId), !isPaused)),
      },
    );
    if (effect.payments > 0) effects.push({ method, effect });
  }
  const { id, name, merchantId } = row;
  return { provider: { id, name, merchantId, isPaused }, methods: effects };
}

/** Which flow each merchant of a version would leave. */
export async function leavingOf(ctx: Context, flow: FlowRow): Promise<{ merchantId: string; flow: FlowRow }[]> {
  const former = await activeOf(ctx, flow.merchantIds, flow.paymentMethod);
  return former.filter((one) => one.flow.id !== flow.id);
}

function deciding(choicesFor: (merchantId: string) => Promise<Choices>): Decide {
  const known = new Map<string, Promise<Choices>>();
  return async (decided) => {
    const choices = known.get(decided.merchantId) ?? choicesFor(decided.merchantId).then(asTheyAre);
    known.set(decided.merchantId, choices);
    return redecide(decided, await choices);
  };
}

/** A paused provider gets nothing: to a decision over the past it is one that cannot be reached. */
const asTheyAre = (choices: Choices): Choices => ({
  ...choices,
  rows: choices.rows.map((row) => (row.pausedAt ? { ...row, routable: false } : row)),
});

async function rehearse(
  ctx: Context,
  subject: Subject,
  { before, after }: { before: Decide; after: Decide },
): Promise<Effect> {
  const until = addSeconds(now(ctx), 1);
  const window = { since: addSeconds(until, -REHEARSED_DAYS * DAY_SECONDS), until, most: REHEARSED };
  const decided = await newestDecided(ctx, subject, window);
  const firsts = new Map<string, { before: number; after: number; moved: number }>();
  const countOf = (id: string) => {
    const known = firsts.get(id) ?? { before: 0, after: 0, moved: 0 };
    firsts.set(id, known);
    return known;
  };
  const effect = { payments: decided.length, moved: 0, unserved: 0 };
  for (const one of decided) {
    const [was, would] = [(await before(one)).providers[0], (await after(one)).providers[0]];
    const isMoved = was !== would;
    if (isMoved) effect.moved += 1;
    if (isMoved && would === undefined) effect.unserved += 1;
    for (const [id, when] of [[was, "before"] as const, [would, "after"] as const]) {
      if (id === undefined) continue;
      const counts = countOf(id);
      counts[when] += 1;
      if (isMoved) counts.moved += 1;
    }
  }
  const ranked = [...firsts]
    .filter(([, { moved }]) => moved > 0)
    .toSorted(([, a], [, b]) => b.before + b.after - a.before - a.after);
  return { ...effect, providers: ranked.map(([id, { before, after }]) => ({ id, before, after })) };
}

/** Of the last payments, how many passed each side of a version, as if it had decided them. */
export async function passagesOf(ctx: Context, flow: FlowRow): Promise<Passages> {
  const until = addSeconds(now(ctx), 1);
  const window = { since: addSeconds(until, -PASSAGE_DAYS * DAY_SECONDS), until, most: REHEARSED };
  const decided = await newestDecided(ctx, flow, window);
  const tried = { id: flow.id, version: versionOf(flow), family: flow.familyId, root: rootOf(flow) };
  const decide = deciding((merchantId) => routeChoicesOf(ctx, merchantId, flow.paymentMethod, tried));
  const byEntry: Record<string, number> = {};
  for (const one of decided) {
    for (const entry of (await decide(one)).path) byEntry[entry] = (byEntry[entry] ?? 0) + 1;
  }
  return { payments: decided.length, byEntry };
}

const PASSAGE_DAYS = 90;

export interface Passages {
  /** Looked at. */
  payments: number;
  /** By entry of a decision's path. */
  byEntry: Record<string, number>;
}

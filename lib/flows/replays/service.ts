import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import { systemDb } from "@/db/client";
import { flowReplays } from "@/db/schema/flows";
import { findRows } from "@/db/statements";
import { type Context, inTransaction, now } from "@/lib/context";
import { invalid, notFound } from "@/lib/errors";
import { costsOfSpan } from "@/lib/flows/provider-costs";
import { type FlowRow, getFlow } from "@/lib/flows/queries";
import { comparison, draftOf, type Findings, isReproduced, type ReplayExample } from "@/lib/flows/replays/compare";
import {
  type Cursor,
  countDecided,
  PAGE,
  readDecided,
  readDeciles,
  readSegments,
  versions,
} from "@/lib/flows/replays/reading";
import { newId } from "@/lib/ids";
import { enqueue } from "@/lib/outbox";
import { addSeconds, DAY_SECONDS } from "@/lib/time";

export type ReplayRow = typeof flowReplays.$inferSelect;

/** The workflow `replay-flow` hears it. */
export const REPLAY_REQUESTED = "flows/replay.requested";

export const MOST_REPLAY_DAYS = 90;
export const MOST_SAMPLED = 100_000;

export async function requestReplay(
  ctx: Context,
  flowId: string,
  { since, until, sample = MOST_SAMPLED }: { since: Date; until: Date; sample?: number | undefined },
): Promise<ReplayRow> {
  if (since >= until) throw invalid("until: must be after since");
  if (addSeconds(since, MOST_REPLAY_DAYS * DAY_SECONDS) < until)
    throw invalid(`until: at most ${MOST_REPLAY_DAYS} days after since`);
  return inTransaction(ctx, async (inside) => {
    await getFlow(inside, flowId);
    const [id, at] = [newId(), now(inside)];
    const [row] = await inside.db
      .insert(flowReplays)
      .values({
        id,
        clientId: ctx.account.id,
        flowId,
        since,
        until,
        sample,
        status: "queued",
        createdAt: at,
        updatedAt: at,
      })
      .returning();
    if (!row) throw new Error("an insert answers its row");
    await enqueue(inside.db, ctx.account.id, REPLAY_REQUESTED, { clientId: ctx.account.id, replayId: id });
    return row;
  });
}

export async function getReplay(ctx: Context, flowId: string, id: string): Promise<ReplayRow> {
  const [row] = await findRows(ctx.db, flowReplays, { clientId: ctx.account.id, flowId, id });
  if (!row) throw notFound("replay");
  return row;
}

interface Result {
  /** Stored decisions that could not be reproduced. */
  different: number | undefined;
  /** Decided again by the version that had decided them; the others were decided by no flow. */
  reproduced: number | undefined;
  /** Payments that another provider would have been tried first for. */
  moved: number | undefined;
  examples: ReplayExample[];
}

/** Beside what the API answers: for the page of the replay. */
export function replayResultOf({ result }: ReplayRow): Result {
  const { different, reproduced, moved } = result ?? {};
  return {
    different: typeof different === "number" ? different : undefined,
    reproduced: typeof reproduced === "number" ? reproduced : undefined,
    moved: typeof moved === "number" ? moved : undefined,
    // Guarantee: written from findings, and from nothing else.
    examples: (result?.examples ?? []) as ReplayExample[],
  };
}

/** Whoever runs it sees it at its next page and stops. */
export async function cancelReplay(ctx: Context, flowId: string, id: string): Promise<void> {
  await inTransaction(ctx, async (inside) => {
    await getReplay(inside, flowId, id);
    await move(inside, id, ["queued", "running"], { status: "canceled" });
  });
}

const LEASE_SECONDS = 60;

/** Idempotent: whoever comes second finds it taken, and whoever finds one whose worker died begins it anew. */
export async function runReplay(ctx: Context, id: string): Promise<void> {
  const taken = await inTransaction(ctx, (inside) => take(inside, id));
  if (!taken) return;
  try {
    const result = await compare(ctx, taken.replay, taken.flow);
    if (!result) return;
    const { findings, different } = result;
    await inTransaction(ctx, (inside) =>
      different > 0
        ? move(inside, id, ["running"], { status: "failed", result: { different }, leaseUntil: null })
        : move(inside, id, ["running"], { status: "done", result: { ...findings }, leaseUntil: null }),
    );
  } catch (thrown) {
    await inTransaction(ctx, (inside) => move(inside, id, ["running"], { status: "failed", leaseUntil: null }));
    throw thrown;
  }
}

/** Of all accounts: asked for, or left by a worker that died. */
export const openReplays = (): Promise<{ clientId: string; id: string }[]> =>
  systemDb()
    .select({ clientId: flowReplays.clientId, id: flowReplays.id })
    .from(flowReplays)
    .where(
      sql`${flowReplays.status} = 'queued' or (${flowReplays.status} = 'running' and ${flowReplays.leaseUntil} < now())`,
    )
    .limit(MOST_SWEPT);
const MOST_SWEPT = 20;

async function take(ctx: Context, id: string): Promise<{ replay: ReplayRow; flow: FlowRow } | undefined> {
  const [replay] = await ctx.db
    .update(flowReplays)
    .set({ status: "running", done: 0, leaseUntil: LEASE, updatedAt: now(ctx) })
    .where(
      and(
        eq(flowReplays.clientId, ctx.account.id),
        eq(flowReplays.id, id),
        sql`(${flowReplays.status} = 'queued' or (${flowReplays.status} = 'running' and ${flowReplays.leaseUntil} < now()))`,
      ),
    )
    .returning();
  return replay && { replay, flow: await getFlow(ctx, replay.flowId) };
}

/** On real time, whatever the account's clock says. */
const LEASE = sql`now() + interval '${sql.raw(String(LEASE_SECONDS))} seconds'`;

const move = (
  ctx: Context,
  id: string,
  from: readonly ReplayRow["status"][],
  to: { [K in keyof ReplayRow]?: ReplayRow[K] | SQL },
) =>
  ctx.db
    .update(flowReplays)
    .set({ ...to, updatedAt: now(ctx) })
    .where(
      and(eq(flowReplays.clientId, ctx.account.id), eq(flowReplays.id, id), inArray(flowReplays.status, [...from])),
    )
    .returning({ id: flowReplays.id });

/** What is known of alike payments is known from the ninety days that end with the window. */
export const seenBefore = ({ until }: Pick<ReplayRow, "until">): { since: Date; until: Date } => ({
  since: addSeconds(until, -MOST_REPLAY_DAYS * DAY_SECONDS),
  until,
});

/** Undefined once somebody canceled it. Identity first: what cannot be told again of the past says nothing of the future. */
async function compare(
  ctx: Context,
  replay: ReplayRow,
  flow: FlowRow,
): Promise<{ findings: Findings; different: number } | undefined> {
  const window = { since: replay.since, until: replay.until };
  const seen = seenBefore(replay);
  const read = await inTransaction(ctx, async (inside) => {
    const deciles = await readDeciles(inside, seen);
    return { deciles, segments: await readSegments(inside, seen, deciles), costs: await costsOfSpan(inside, seen) };
  });
  const compared = comparison(read.segments, read.deciles, read.costs);
  const draft = draftOf(flow);
  const total = await inTransaction(ctx, (inside) => countDecided(inside, flow, { ...window, most: replay.sample }));
  await inTransaction(ctx, (inside) => move(inside, replay.id, ["running"], { total }));
  let [done, different] = [0, 0];
  let before: Cursor | undefined;
  for (;;) {
    const page = await inTransaction(ctx, async (inside) => {
      const { items, next } = await readDecided(inside, flow, { ...window, before, size: PAGE });
      const decided = items.slice(0, replay.sample - done);
      const versionAt = versions(inside);
      for (const one of decided) {
        const deciding = one.flowId === null ? undefined : await versionAt(one.flowId);
        if (deciding && !isReproduced(one, deciding)) different += 1;
        compared.add(one, await draft(inside, one), deciding !== undefined);
      }
      const [held] = await move(inside, replay.id, ["running"], {
        done: done + decided.length,
        leaseUntil: LEASE,
      });
      return held ? { read: decided.length, next } : undefined;
    });
    if (!page) return undefined;
    done += page.read;
    if (!page.next || done >= replay.sample) return { findings: compared.findings(), different };
    before = page.next;
  }
}

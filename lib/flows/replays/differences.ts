import { type Context, inTransaction } from "@/lib/context";
import { type FlowRow, getFlow } from "@/lib/flows/queries";
import { draftOf, isAlike, likeOf } from "@/lib/flows/replays/compare";
import {
  type Cursor,
  type DecidedPayment,
  PAGE,
  readDecided,
  readDeciles,
  readSegments,
} from "@/lib/flows/replays/reading";
import { closest, type Segments } from "@/lib/flows/replays/segments";
import { type ReplayRow, seenBefore } from "@/lib/flows/replays/service";
import { type WilsonInterval, wilson } from "@/lib/flows/replays/wilson";

/** One payment of a replay that the version would have decided otherwise. */
export interface ReplayDifference {
  decided: DecidedPayment;
  /** Whom it would have been tried at, first choice first. */
  providers: string[];
  /** The nodes that led there. */
  path: string[];
  /** `observed`: the same provider first, so what happened holds. `estimated`: by payments that were alike. */
  evidence: "observed" | "estimated" | "unknown";
  /** How often its new first provider approved payments that were alike, with 95 % confidence. */
  likely: WilsonInterval | null;
}

/**
 * Found again page by page, so that a replay of any size fits: with the version as it is, and the providers as they are
 * today. Nothing is written.
 */
export async function* replayDifferencesOf(ctx: Context, replay: ReplayRow): AsyncGenerator<ReplayDifference[]> {
  const { flow, segments, deciles } = await inTransaction(ctx, async (inside) => {
    const seen = seenBefore(replay);
    const bounds = await readDeciles(inside, seen);
    return {
      flow: await getFlow(inside, replay.flowId),
      deciles: bounds,
      segments: await readSegments(inside, seen, bounds),
    };
  });
  const draft = draftOf(flow);
  let [left, before]: [number, Cursor | undefined] = [replay.sample, undefined];
  while (left > 0) {
    const { found, next, read }: Page = await inTransaction(ctx, (inside) =>
      page(inside, { flow, replay, before, left }),
    );
    left -= read;
    yield found;
    if (!next) return;
    before = next;
  }

  async function page(
    inside: Context,
    at: { flow: FlowRow; replay: ReplayRow; before: Cursor | undefined; left: number },
  ): Promise<Page> {
    const { since, until } = at.replay;
    const { items, next } = await readDecided(inside, at.flow, { since, until, before: at.before, size: PAGE });
    const decided = items.slice(0, at.left);
    const found: ReplayDifference[] = [];
    for (const one of decided) {
      const plan = await draft(inside, one);
      if (isAlike(one, plan)) continue;
      const { providers, path, fraudProvider } = plan;
      found.push({ decided: one, providers, path, ...evidenceOf(segments, deciles, one, providers[0], fraudProvider) });
    }
    return { found, next, read: decided.length };
  }
}

interface Page {
  found: ReplayDifference[];
  next: Cursor | undefined;
  read: number;
}

function evidenceOf(
  segments: Segments,
  deciles: readonly number[],
  decided: DecidedPayment,
  first: string | undefined,
  analyst: string | null,
): Pick<ReplayDifference, "evidence" | "likely"> {
  if (first !== undefined && first === decided.providers[0] && analyst === decided.analyst) {
    return { evidence: "observed", likely: null };
  }
  const found = first === undefined ? undefined : closest(segments, likeOf(deciles, decided, first, analyst));
  if (!found) return { evidence: "unknown", likely: null };
  return { evidence: "estimated", likely: wilson(found.segment.approved, found.segment.n) };
}

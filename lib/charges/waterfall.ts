/** What a stretch of time was spent on. */
export type Stage = "waited" | "provider" | "unknown" | "told";

export interface WaterfallStretch {
  stage: Stage;
  fromMs: number;
  untilMs: number;
}

/** A stretch on the common axis; `left` and `width` are parts of it, 0 to 1. */
export interface Placed {
  stage: Stage;
  left: number;
  width: number;
  ms: number;
}

export interface Waterfall {
  rows: Placed[][];
  /** Where the axis leaves out time in which nothing began or ended. */
  folds: { left: number; width: number; ms: number }[];
}

/** A quiet time longer than this many of the longest calls is folded. */
const FOLD_AFTER_CALLS = 2;
const LEAST_FOLDED_MS = 200;

/** Puts the rows on one axis of time. Between two moments at which something began or ended the axis is even. */
export function waterfallOf(rows: readonly (readonly WaterfallStretch[])[]): Waterfall {
  const all = rows.flat();
  const longest = Math.max(
    0,
    ...all.filter(({ stage }) => stage === "provider").map((stretch) => stretch.untilMs - stretch.fromMs),
  );
  const most = Math.max(LEAST_FOLDED_MS, longest * FOLD_AFTER_CALLS);
  const moments = [...new Set(all.flatMap(({ fromMs, untilMs }) => [fromMs, untilMs]))].sort((a, b) => a - b);
  const at = new Map<number, number>();
  const folded: { fromMs: number; untilMs: number }[] = [];
  let length = 0;
  for (const [index, moment] of moments.entries()) {
    const before = moments[index - 1] ?? moment;
    if (moment - before > most) folded.push({ fromMs: before, untilMs: moment });
    length += Math.min(moment - before, most);
    at.set(moment, length);
  }
  const place = (fromMs: number, untilMs: number) => {
    const left = length === 0 ? 0 : (at.get(fromMs) ?? 0) / length;
    return { left, width: (length === 0 ? 1 : (at.get(untilMs) ?? 0) / length) - left, ms: untilMs - fromMs };
  };
  return {
    rows: rows.map((row) => row.map(({ stage, fromMs, untilMs }) => ({ stage, ...place(fromMs, untilMs) }))),
    folds: folded.map(({ fromMs, untilMs }) => place(fromMs, untilMs)),
  };
}

interface Attempt {
  kind: string;
  createdAt: Date;
  updatedAt: Date;
  responseMs: number | null;
  state: string;
  queries: number;
}

/** Asked for later, by people or by the shop: nothing waited until then. */
const ASKED_LATER = new Set(["capture", "void", "refund", "cancel_open"]);
/** Of an attempt that ended with nothing done, or whose end nobody knows: the next of its kind repeats it. */
const REPEATED = new Set(["not_sent", "absent", "sent", "undetermined"]);

const isRequest = (kind: string, before: Attempt | undefined): boolean =>
  ASKED_LATER.has(kind) && !(before?.kind === kind && REPEATED.has(before.state));

/** Oldest first: what each attempt waited for, its call, and how long its outcome was unknown. */
export function stretchesOf(createdAt: Date, attempts: readonly Attempt[], present: Date): WaterfallStretch[][] {
  let free = createdAt.getTime();
  let before: Attempt | undefined;
  return attempts.map((attempt) => {
    const { kind, createdAt: sentAt, updatedAt, responseMs, state, queries } = attempt;
    if (kind === "notice") return [];
    const fromMs = sentAt.getTime();
    const isNew = isRequest(kind, before);
    before = attempt;
    const answeredMs = fromMs + (responseMs ?? 0);
    const isOpen = state === "sent" || state === "undetermined";
    const settledMs = isOpen ? present.getTime() : updatedAt.getTime();
    const wasUnknown = (isOpen || queries > 0 || state === "absent") && settledMs > answeredMs;
    const stretches: WaterfallStretch[] = [
      ...(fromMs > free && !isNew ? [{ stage: "waited", fromMs: free, untilMs: fromMs } as const] : []),
      { stage: "provider", fromMs, untilMs: answeredMs },
      ...(wasUnknown ? [{ stage: "unknown", fromMs: answeredMs, untilMs: settledMs } as const] : []),
    ];
    free = Math.max(free, wasUnknown ? settledMs : answeredMs);
    return stretches;
  });
}

import { addSeconds } from "@/lib/time";

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** After the sending, when no answer came (spec/routing.md section 2). */
const UNKNOWN_STEPS = [5, 15, MINUTE] as const;
/** After the sending, when the provider said that it is not done. */
const PENDING_STEPS = [MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR] as const;
/** A synchronous product that has said nothing by then has failed. */
const SYNC_DEADLINE = 2 * MINUTE;
const VERDICT_DEADLINE = 48 * HOUR;
/** Before the moment at which what is still held is voided. */
const BEFORE_VOID = MINUTE;

export interface OpenAnalysis {
  sentAt: Date;
  productType: "SYNC" | "ASYNC";
  /** No answer ever came. */
  isUnknown: boolean;
  /** When the hold is voided for safety; absent without a hold. */
  voidedAt?: Date | undefined;
  /** When the provider expects to be done. */
  nextEventAt?: Date | undefined;
}

/** From then on there will be no verdict: the analysis has failed. */
export function deadlineOf({ sentAt, productType, isUnknown, voidedAt }: OpenAnalysis): Date {
  if (productType === "SYNC" && isUnknown) return addSeconds(sentAt, SYNC_DEADLINE);
  const latest = addSeconds(sentAt, VERDICT_DEADLINE);
  const inTime = voidedAt && addSeconds(voidedAt, -BEFORE_VOID);
  return inTime && inTime < latest ? inTime : latest;
}

/** The next moment to ask, never after the deadline. */
export function nextAnalysisQueryAt(open: OpenAnalysis, now: Date): Date {
  const age = (now.getTime() - open.sentAt.getTime()) / 1_000;
  const steps = open.isUnknown ? [...UNKNOWN_STEPS, ...PENDING_STEPS] : PENDING_STEPS;
  const step = steps.find((seconds) => seconds > age) ?? (Math.floor(age / HOUR) + 1) * HOUR;
  const moments = [addSeconds(open.sentAt, step), deadlineOf(open)];
  if (open.nextEventAt && open.nextEventAt > now) moments.push(open.nextEventAt);
  return moments.reduce((first, one) => (one < first ? one : first));
}

import { addDays, endOfSaoPauloDay, saoPauloDay } from "@/lib/brazil/bank-calendar";
import type { RecipientReply, ReviewReply } from "@/lib/providers/sandbox/recipients-wire";

export const DAYS_FOR_A_REVIEW = 7;
const DAYS_FOR_MORE = 5;

export interface Recipient {
  id: string;
  reference: string;
  fingerprint: Buffer;
  resolvesTo: "active" | "refused";
  resolvesAt: Date;
  delaySeconds: number;
}

export interface Review {
  id: string;
  requestedFields: string[];
  reason: string | null;
  openedAt: Date;
  deadline: Date;
  submittedAt: Date | null;
  answeredAt: Date | null;
  verdict: "approved" | "rejected" | "more";
}

/** The last instant of that day in São Paulo. */
export const reviewDeadline = (from: Date, days: number): Date => endOfSaoPauloDay(addDays(saoPauloDay(from), days));

/** Where a review stands: time alone makes later facts true. */
export function reviewOf(
  review: Review,
  now: Date,
): { status: ReviewReply["status"]; deadline: Date; closedAt?: Date } {
  const { submittedAt, answeredAt, deadline, verdict } = review;
  if (submittedAt === null || answeredAt === null) {
    return deadline < now ? { status: "expired", deadline, closedAt: deadline } : { status: "opened", deadline };
  }
  if (answeredAt > now) return { status: "submitted", deadline };
  if (verdict !== "more") return { status: verdict, deadline, closedAt: answeredAt };
  const later = reviewDeadline(answeredAt, DAYS_FOR_MORE);
  const extended = later > deadline ? later : deadline;
  return extended < now
    ? { status: "expired", deadline: extended, closedAt: extended }
    : { status: "opened", deadline: extended };
}

export function recipientView(
  id: string,
  { reference, resolvesTo, resolvesAt }: Recipient,
  reviews: readonly Review[],
  now: Date,
): RecipientReply {
  const seen = reviews.map((review) => ({ review, ...reviewOf(review, now) }));
  const changes = [resolvesAt, ...seen.flatMap(({ review, status, deadline }) => nextOf(review, status, deadline))];
  const next = changes.filter((at) => at > now).sort((a, b) => a.getTime() - b.getTime())[0];
  const status = statusOf(now < resolvesAt ? "pending" : resolvesTo, seen);
  return {
    id,
    reference,
    status,
    ...(status === "refused" ? { reason: "document refused" } : {}),
    ...(next ? { nextEventAt: next.toISOString() } : {}),
    reviews: seen.map(({ review, status: at, deadline, closedAt }) => ({
      id: review.id,
      status: at,
      requestedFields: review.requestedFields,
      ...(review.reason === null ? {} : { reason: review.reason }),
      deadline: deadline.toISOString(),
      ...(review.submittedAt === null ? {} : { submittedAt: review.submittedAt.toISOString() }),
      ...(closedAt ? { closedAt: closedAt.toISOString() } : {}),
    })),
    at: now.toISOString(),
  };
}

/** The last review that ended decides over what the registration had come to. */
function statusOf(
  registration: "pending" | "active" | "refused",
  reviews: readonly { status: ReviewReply["status"] }[],
): RecipientReply["status"] {
  if (registration === "pending") return "registration";
  if (registration === "refused") return "refused";
  const last = reviews.findLast(({ status }) => status !== "opened" && status !== "submitted")?.status;
  return last === "expired" ? "suspended" : last === "rejected" ? "disabled" : "enabled";
}

function nextOf({ answeredAt }: Review, status: ReviewReply["status"], deadline: Date): Date[] {
  if (status === "submitted") return answeredAt ? [answeredAt] : [];
  // A deadline is missed by its end.
  return status === "opened" ? [new Date(deadline.getTime() + 1)] : [];
}

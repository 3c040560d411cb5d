import { addDays, daysBetween, endOfSaoPauloDay, saoPauloDay, saoPauloInstant } from "@/lib/brazil/bank-calendar";
import { type Context, now } from "@/lib/context";
import { schedule, unschedule } from "@/lib/due-jobs/schedule";
import type { ReviewRow } from "@/lib/sellers/queries";

/** spec/settlement.md section 6: the end of a day in São Paulo, and who is told before it. */
const USUAL_DAYS = 15;
const DAYS_FOR_MORE = 5;
export const REMINDER_DAYS = [7, 3, 1] as const;
const REMINDED_AT = "09:00:00";

export const usualDeadline = (openedAt: Date): Date => endOfSaoPauloDay(addDays(saoPauloDay(openedAt), USUAL_DAYS));

export function deadlineAfterMore(deadline: Date, at: Date): Date {
  const later = endOfSaoPauloDay(addDays(saoPauloDay(at), DAYS_FOR_MORE));
  return later > deadline ? later : deadline;
}

/** The end of the deadline's own day, whatever hour the provider said. */
export const endOfReview = ({ deadline }: Pick<ReviewRow, "deadline">): Date => endOfSaoPauloDay(saoPauloDay(deadline));

export const daysLeft = (review: Pick<ReviewRow, "deadline">, at: Date): number =>
  daysBetween(saoPauloDay(at), saoPauloDay(review.deadline));

/** The moment of the next reminder, else of the end. */
export function nextMoment(review: ReviewRow, at: Date): Date {
  const day = saoPauloDay(review.deadline);
  const reminders = REMINDER_DAYS.filter((days) => review.remindedDays === null || days < review.remindedDays)
    .map((days) => saoPauloInstant(addDays(day, -days), REMINDED_AT))
    .filter((moment) => moment > at);
  const end = new Date(endOfReview(review).getTime() + 1);
  return reminders.reduce((first, moment) => (moment < first ? moment : first), end);
}

/** An open review is looked at again when it is time to remind of it, and when its time is over. */
export const remindOf = (ctx: Context, review: ReviewRow): Promise<void> =>
  review.status === "opened"
    ? schedule(ctx, "review.deadline", review.id, nextMoment(review, now(ctx)))
    : unschedule(ctx, "review.deadline", review.id);

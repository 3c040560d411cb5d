import type { MandateStatus, subscriptionMandates } from "@/db/schema/subscriptions";
import { isOpenMandate } from "@/lib/subscriptions/mandate-queries";

type Row = typeof subscriptionMandates.$inferSelect;

/** What is known of a mandate, as far as it decides what is done next. */
export type KnownMandate = Pick<Row, "status" | "call" | "ending">;

/** What whoever works on an open mandate does: make it, drop what nobody heard of, ask what became of it, hear its state. */
export function stepOf({ call, ending }: KnownMandate): "create" | "drop" | "ask" | "hear" {
  if (call === "planned") return ending === null ? "create" : "drop";
  return call === "known" ? "hear" : "ask";
}

/** What the provider says of it; `none` adds nothing: it is over for us, or the word is older than what is known. */
export function wordOf({ status }: KnownMandate, told: MandateStatus): "none" | "same" | "news" {
  if (!isOpenMandate({ status }) || (status === "approved" && told === "created")) return "none";
  return status === told ? "same" : "news";
}

/** Only under such a mandate a bank is asked to pay. */
export const isInstructed = ({ status, ending }: KnownMandate): boolean => status === "approved" && ending === null;

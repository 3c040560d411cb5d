import { and, inArray, or, type SQL, sql } from "drizzle-orm";
import { isOneOf } from "@/db/literals";
import { CHARGE_STATUSES, type ChargeStatus, charges } from "@/db/schema/charges";
import { isRefunded } from "@/db/schema/conditions";

/** One word of the API for two things: money that was refunded, and an authorization that took none and was released. */
const TOLD_APART = ["voided", "refund_pending"] as const;
type ToldApart = (typeof TOLD_APART)[number];
type PlainState = Exclude<ChargeStatus, ToldApart>;

/** What lists are narrowed by; what was refunded in part is both paid and refunded. */
export type ListState = PlainState | "refunded" | "released";

const isToldApart = (state: string): state is ToldApart => TOLD_APART.some((status) => status === state);

export const LIST_STATES: readonly ListState[] = [
  ...CHARGE_STATUSES.filter((status): status is PlainState => !isToldApart(status)),
  "refunded",
  "released",
];

/** Addresses of before name the states of the API for what was refunded. */
export function readStates(given: readonly string[]): ListState[] {
  const states = given.flatMap((text) =>
    isToldApart(text) ? "refunded" : LIST_STATES.filter((state) => state === text),
  );
  return [...new Set(states)];
}

/** The statuses of the API that are exactly these states; undefined where there are none. */
export function statusesOf(states: readonly ListState[]): ChargeStatus[] | undefined {
  const plain = states.filter(isPlain);
  return plain.length === states.length ? plain : undefined;
}

const isPlain = (state: ListState): state is PlainState => state !== "refunded" && state !== "released";

const REFUNDED = isRefunded(charges);
const RELEASED = sql`(${isOneOf(charges.status, TOLD_APART)} and not ${REFUNDED})`;

/** Statuses in which money can have been refunded. */
const ONCE_PAID: readonly ChargeStatus[] = ["authorized", "charged_back", ...TOLD_APART];

/** The statuses stand beside what a row is asked: indexes know them, and are walked past the others without their rows. */
export function inStates(states: readonly ListState[] | undefined): SQL | undefined {
  if (!states?.length) return undefined;
  const plain = states.filter(isPlain);
  if (plain.length === states.length) return inArray(charges.status, plain);
  const isRefunded = states.includes("refunded");
  const isReleased = states.includes("released");
  if (isRefunded && states.length === 1) return REFUNDED;
  const statuses = [...new Set([...plain, ...(isRefunded ? ONCE_PAID : []), ...(isReleased ? TOLD_APART : [])])];
  const any = or(
    plain.length > 0 ? inArray(charges.status, plain) : undefined,
    isRefunded ? REFUNDED : undefined,
    isReleased ? RELEASED : undefined,
  );
  return and(inArray(charges.status, statuses), any);
}

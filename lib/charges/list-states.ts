import { and, inArray, or, type SQL, sql } from "drizzle-orm";
import { equalsLiteral, isOneOf } from "@/db/literals";
import { CHARGE_STATUSES, type ChargeStatus, charges, transactionRequests } from "@/db/schema/charges";
import { isRefunded } from "@/db/schema/conditions";

/** One word of the API for two things: money that was refunded, and an authorization that took none and was released. */
const TOLD_APART = ["voided", "refund_pending"] as const;
type ToldApart = (typeof TOLD_APART)[number];
type PlainState = Exclude<ChargeStatus, ToldApart>;

/**
 * What lists are narrowed by; what was refunded in part is both paid and refunded, and what waited for its buyer until
 * its time was over is both canceled and expired.
 */
export type ListState = PlainState | OwnState;
const OWN_STATES = ["refunded", "released", "expired"] as const;
/** Of no status of the API. */
export type OwnState = (typeof OWN_STATES)[number];

const isToldApart = (state: string): state is ToldApart => TOLD_APART.some((status) => status === state);

export const LIST_STATES: readonly ListState[] = [
  ...CHARGE_STATUSES.filter((status): status is PlainState => !isToldApart(status)),
  ...OWN_STATES,
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

const isPlain = (state: ListState): state is PlainState => !OWN_STATES.some((own) => own === state);

const REFUNDED = isRefunded(charges);
const RELEASED = sql`(${isOneOf(charges.status, TOLD_APART)} and not ${REFUNDED})`;

/** What `ranOut` says of a charge with its history (lib/charges/history.ts). */
const EXPIRED = sql`(${equalsLiteral(charges.status, "canceled")} and exists (
  select from (
    select t.request_status_reason as reason, t.created_at from ${transactionRequests} t
     where t.charge_id = ${charges.id}
       and (t.kind = 'cancel_open' and t.state = 'approved' or t.kind = 'notice' and t.request_type = 'void')
     order by t.created_at limit 1) ending
   where ending.reason = 'expired' or ending.created_at >= ${charges.expiresAt}))`;

/** What each is, and the statuses in which it can be. */
const OWN: Readonly<Record<OwnState, { is: SQL; among: readonly ChargeStatus[] }>> = {
  refunded: { is: REFUNDED, among: ["authorized", "charged_back", ...TOLD_APART] },
  released: { is: RELEASED, among: TOLD_APART },
  expired: { is: EXPIRED, among: ["canceled"] },
};

/** The statuses stand beside what a row is asked: indexes know them, and are walked past the others without their rows. */
export function inStates(states: readonly ListState[] | undefined): SQL | undefined {
  if (!states?.length) return undefined;
  const plain = states.filter(isPlain);
  if (plain.length === states.length) return inArray(charges.status, plain);
  const own = states.filter((state) => !isPlain(state)).map((state) => OWN[state]);
  const [only] = own;
  // The statement that its index answers, whatever the status.
  if (states.length === 1 && states[0] === "refunded") return REFUNDED;
  if (states.length === 1 && only) return and(inArray(charges.status, [...only.among]), only.is);
  const statuses = [...new Set([...plain, ...own.flatMap(({ among }) => among)])];
  const any = or(plain.length > 0 ? inArray(charges.status, plain) : undefined, ...own.map((one) => one.is));
  return and(inArray(charges.status, statuses), any);
}

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

/** The table of charges, or an alias of it. */
export type ChargeTable = typeof charges;

const released = (t: ChargeTable): SQL => sql`(${isOneOf(t.status, TOLD_APART)} and not ${isRefunded(t)})`;

/** What `ranOut` says of a charge with its history (lib/charges/history.ts). */
const expired = (t: ChargeTable): SQL => sql`(${equalsLiteral(t.status, "canceled")} and exists (
  select from (
    select history.request_status_reason as reason, history.created_at from ${transactionRequests} history
     where history.charge_id = ${t.id}
       and (history.kind = 'cancel_open' and history.state = 'approved'
            or history.kind = 'notice' and history.request_type = 'void')
     order by history.created_at limit 1) ending
   where ending.reason = 'expired' or ending.created_at >= ${t.expiresAt}))`;

/** What each is, and the statuses in which it can be. */
const OWN: Readonly<Record<OwnState, { is: (t: ChargeTable) => SQL; among: readonly ChargeStatus[] }>> = {
  refunded: { is: isRefunded, among: ["authorized", "charged_back", ...TOLD_APART] },
  released: { is: released, among: TOLD_APART },
  expired: { is: expired, among: ["canceled"] },
};

export const isOwnState = (state: OwnState, t: ChargeTable): SQL => OWN[state].is(t);

/** The statuses stand beside what a row is asked: indexes know them, and are walked past the others without their rows. */
export function inStates(states: readonly ListState[] | undefined, t: ChargeTable = charges): SQL | undefined {
  if (!states?.length) return undefined;
  const plain = states.filter(isPlain);
  if (plain.length === states.length) return inArray(t.status, plain);
  const own = states.filter((state) => !isPlain(state)).map((state) => OWN[state]);
  const [only] = own;
  // The statement that its index answers, whatever the status.
  if (states.length === 1 && states[0] === "refunded") return isRefunded(t);
  if (states.length === 1 && only) return and(inArray(t.status, [...only.among]), only.is(t));
  const statuses = [...new Set([...plain, ...own.flatMap(({ among }) => among)])];
  const any = or(plain.length > 0 ? inArray(t.status, plain) : undefined, ...own.map((one) => one.is(t)));
  return and(inArray(t.status, statuses), any);
}

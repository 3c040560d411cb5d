import { type SQL, sql } from "drizzle-orm";
import { alias, PgDialect } from "drizzle-orm/pg-core";
import { type ChargeStatus, charges } from "@/db/schema/charges";
import { inStates, isOwnState, type ListState } from "@/lib/charges/list-states";
import { messages } from "@/lib/i18n/messages";

/** Statements without parameters, as COPY takes them. */
const dialect = new PgDialect({ casing: "snake_case" });
const textOf = (statement: SQL): string => dialect.sqlToQuery(statement.inlineParams()).sql;

// Guarantee: an alias has the columns of its table, and no statement here names another table by them.
const chargesAs = (name: string): typeof charges => alias(charges, name) as unknown as typeof charges;

/** Of the charges of an alias, that they are in one of these states. */
export function stateCondition(states: readonly ListState[], of: string): string {
  const condition = inStates(states, chargesAs(of));
  return condition ? `(${textOf(condition)})` : "true";
}

/** The state of each charge of an alias, in the words of the list. */
export function stateIn(locale: keyof typeof messages, of: string): string {
  const words = messages[locale].payments;
  const t = chargesAs(of);
  const said = {
    pending: words.statusPending,
    pre_authorized: words.statusPreAuthorized,
    authorized: words.statusAuthorized,
    failed: words.statusFailed,
    canceled: words.statusCanceled,
    voided: words.statusVoided,
    charged_back: words.statusChargedBack,
    refund_pending: words.statusRefundPending,
    capture_pending: words.statusCapturePending,
  } as const satisfies Record<ChargeStatus, string>;
  const plain = Object.entries(said).map(([status, word]) => sql`when ${status} then ${word}`);
  return textOf(sql`case
    when ${isOwnState("expired", t)} then ${words.statusExpired}
    when ${t.status} = ${"voided"} and ${t.refundedAmount} = 0 then ${words.statusReleased}
    when ${t.status} = ${"refund_pending"} and ${t.capturedAmount} = 0 then ${words.statusReleasing}
    else case ${t.status} ${sql.join(plain, sql` `)} end end`);
}

import type { z } from "zod";
import type { Exchange } from "@/lib/providers/exchange";
import type { FoundTransaction, Outcome, QueryInput, QueryResult, RejectedProblem } from "@/lib/providers/provider";
import { addSeconds } from "@/lib/time";

export interface AnsweredCall {
  status: number;
  headers: Record<string, string>;
  body: unknown;
}

export type Read<T> = { ok: true; value: T; status: number } | { ok: false; outcome: Outcome<never> };

const REFUSED = 400;

/**
 * What came of one call: a body of the expected form, or an outcome. `refused` reads the provider's own error; an error
 * that it cannot read says nothing about what was done.
 */
export function readAnswer<T>(
  exchange: Exchange,
  schema: z.ZodType<T>,
  refused: (answer: AnsweredCall) => Outcome<never> | undefined,
): Read<T> {
  if (exchange.kind === "not_sent") return { ok: false, outcome: exchange };
  if (exchange.kind === "undetermined") {
    const { cause, status } = exchange;
    const raw = status === undefined ? {} : { raw: { status, headers: {}, body: null } };
    return { ok: false, outcome: { kind: "undetermined", cause, ...raw } };
  }
  if (exchange.status >= REFUSED) return { ok: false, outcome: refused(exchange) ?? unreadable(exchange.status) };
  const parsed = schema.safeParse(exchange.body);
  if (parsed.success) return { ok: true, value: parsed.data, status: exchange.status };
  return { ok: false, outcome: unreadable(exchange.status) };
}

/** An answer that cannot be understood, or that contradicts itself or the question. */
export const unreadable = (status: number): Outcome<never> => ({
  kind: "undetermined",
  cause: "unparseable",
  raw: { status, headers: {}, body: null },
});

const PROBLEMS: Readonly<Record<number, RejectedProblem>> = {
  401: "unauthenticated",
  403: "forbidden",
  404: "not_found",
};

/** The meaning of a refusal that its own words do not tell. */
export const problemOf = (status: number): RejectedProblem => PROBLEMS[status] ?? "invalid_request";

export const rejected = (problem: RejectedProblem, detail: string): Outcome<never> => ({
  kind: "rejected",
  problem,
  detail,
});

export const unsupported = (detail: string) => (): Promise<Outcome<never>> =>
  Promise.resolve(rejected("unsupported", detail));

export const exceeded = (what: string, amount: number, most: number): Outcome<never> =>
  rejected("amount_exceeded", `${what} of ${amount}, at most ${most}`);

export type NothingFound = Exclude<QueryResult, FoundTransaction>;

/** What an outcome that is no answer means to a question. */
export function unanswered(outcome: Outcome<never>): NothingFound {
  const retryAfterMs = outcome.kind === "not_sent" ? outcome.retryAfterMs : undefined;
  return { kind: "unavailable", ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
}

/** Nothing there: for good once the late window has passed. */
export const foundNothing = (
  { sentUntil }: Pick<QueryInput, "sentUntil">,
  lateWindowSec: number,
  now: Date,
): NothingFound => ({
  kind: now >= addSeconds(sentUntil, lateWindowSec) ? "not_found_definitive" : "not_found_yet",
});

import type { z } from "zod";
import { equalsLiteral } from "@/db/literals";
import { idempotencyKeys } from "@/db/schema/accounts";
import { findRows } from "@/db/statements";
import { deniedShift, isAnalysis } from "@/lib/charges/history";
import { type Charge, lockCharge, withParts } from "@/lib/charges/queries";
import { sessionChargeBody } from "@/lib/charges/schema";
import { chargeBodyOf, serializeCharge } from "@/lib/charges/serializer";
import { type Context, inTransaction, now } from "@/lib/context";
import { embeddedError } from "@/lib/http/errors";
import { type Answer, Answered, findAnswer, storeAnswer } from "@/lib/idempotency";
import type { AttemptRow } from "@/lib/payments/attempts";

/** What a request asks of a charge, as its idempotency key keeps it: decides what is answered. */
export type ChargeRequest = "charge.create" | "session.pay" | "charge.capture" | "charge.void";

interface Answering {
  shown(charge: Charge): Record<string, unknown>;
  failure(charge: Charge): z.input<typeof embeddedError> | undefined;
}

const shownToBuyer = (charge: Charge) => sessionChargeBody.parse(serializeCharge(charge));

/** Pure functions of the charge: the request that made it and the worker that finishes it answer the same. */
const ANSWERING: Readonly<Record<ChargeRequest, Answering>> = {
  "charge.create": { shown: chargeBodyOf, failure: paymentFailure },
  "session.pay": { shown: shownToBuyer, failure: paymentFailure },
  "charge.capture": { shown: chargeBodyOf, failure: changeFailure(["capture"]) },
  "charge.void": { shown: chargeBodyOf, failure: changeFailure(["void", "refund", "cancel_open"]) },
};

/** A valid request that was refused: 201 with the charge and an error beside it (spec/contract.md 2.5). */
export function chargeReply(asked: ChargeRequest, charge: Charge): Answer {
  const { shown, failure } = ANSWERING[asked];
  const error = charge.row.operation === null ? failure(charge) : undefined;
  return { status: 201, body: { ...shown(charge), ...(error ? { error: embeddedError.parse(error) } : {}) } };
}

function paymentFailure({ row, attempts }: Pick<Charge, "row" | "attempts">) {
  if (row.status === "failed") return paymentRefused(attempts.find((attempt) => attempt.providerError !== null));
  if (row.status !== "voided") return undefined;
  const judged = [attempts.find(isAnalysis), deniedShift({ row, attempts })].find((one) => one?.providerError);
  if (judged) return paymentRefused(judged);
  return operationRefused(attempts.find((attempt) => attempt.kind === "capture"));
}

function changeFailure(kinds: readonly AttemptRow["kind"][]): Answering["failure"] {
  return ({ attempts }) => {
    const newest = attempts.find((attempt) => kinds.includes(attempt.kind));
    return newest?.requestStatus === "failed" ? operationRefused(newest) : undefined;
  };
}

const paymentRefused = (attempt: AttemptRow | undefined) => {
  const code = attempt?.providerError?.declinedCode ?? "generic";
  return {
    type: "card_declined",
    code: 402,
    declinedCode: code,
    declined_code: code,
    message: "card declined",
    details: [],
  };
};

function operationRefused(attempt: AttemptRow | undefined) {
  const declined = attempt?.providerError?.declinedCode;
  return {
    type: "failed_dependency",
    code: 424,
    businessCode: "provider_refused",
    ...(declined ? { declinedCode: declined, declined_code: declined } : {}),
    message: attempt?.providerError?.message ?? "refused by the provider",
    details: [],
  };
}

/**
 * What is true now for a request that was held up past its lease, while another finished or goes on with its charge.
 * With a key the answer is that of every repeat: what whoever took over said, or what is known by now.
 */
export const chargeTakenOver = (ctx: Context, chargeId: string): Promise<Charge> =>
  inTransaction(ctx, async (inside) => {
    const charge = await withParts(inside, await lockCharge(inside, chargeId));
    const { db, account, idempotency } = inside;
    if (!idempotency) return { charge, answer: undefined };
    await answerKeys(inside, charge);
    return { charge, answer: await findAnswer(db, account.id, idempotency) };
  }).then(({ charge, answer }) => {
    // Only once it is committed.
    if (answer) throw new Answered(answer, false);
    return charge;
  });

/** A repeat has its answer before anything else is asked of it: it needs no second captcha and no second place. */
export async function answerRepeat(ctx: Context): Promise<void> {
  const { idempotency } = ctx;
  if (!idempotency) return;
  const answer = await inTransaction(ctx, ({ db, account }) => findAnswer(db, account.id, idempotency));
  if (answer) throw new Answered(answer, true);
}

export const isChargeRequest = (kind: string): kind is ChargeRequest => Object.hasOwn(ANSWERING, kind);

/** A request about a charge that was not answered yet. */
export interface OpenKey {
  namespace: string;
  key: string;
  kind: string;
}

const IS_OPEN = equalsLiteral(idempotencyKeys.state, "open");

export const openKeysOf = (ctx: Context, chargeId: string): Promise<OpenKey[]> =>
  findRows(ctx.db, idempotencyKeys, { resourceId: chargeId }, { condition: IS_OPEN });

/** Stores the bytes that every repeat of the request will be given, in the transaction that made them true. */
export async function answerKeys(ctx: Context, charge: Charge, known?: OpenKey[]): Promise<void> {
  for (const open of known ?? (await openKeysOf(ctx, charge.row.id))) {
    if (!isChargeRequest(open.kind)) throw new Error(`nobody answers a ${open.kind} with a charge`);
    await storeAnswer(ctx.db, ctx.account.id, open, chargeReply(open.kind, charge), now(ctx));
  }
}

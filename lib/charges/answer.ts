import { equalsLiteral } from "@/db/literals";
import { idempotencyKeys } from "@/db/schema/accounts";
import { findRows } from "@/db/statements";
import { type Charge, lockCharge, withParts } from "@/lib/charges/queries";
import { sessionChargeBody } from "@/lib/charges/schema";
import { chargeBodyOf, serializeCharge } from "@/lib/charges/serializer";
import { type Context, inTransaction, now } from "@/lib/context";
import { embeddedError } from "@/lib/http/errors";
import { findAnswer, type StoredAnswer, storeAnswer } from "@/lib/idempotency";
import type { AttemptRow } from "@/lib/payments/attempts";

/** What was asked of the charge: decides what its refusal looks like. */
export type Asked = "create" | "pay session" | "capture" | "void";

/** A valid request that was refused: 201 with the charge and an error beside it (spec/contract.md 2.5). */
export function chargeAnswer(charge: Charge, asked: Asked): StoredAnswer {
  const error = failureOf(charge, asked);
  const shown = asked === "pay session" ? sessionChargeBody.parse(serializeCharge(charge)) : chargeBodyOf(charge);
  const body = { ...shown, ...(error ? { error: embeddedError.parse(error) } : {}) };
  return { status: 201, body: Buffer.from(JSON.stringify(body)) };
}

function failureOf({ row, attempts }: Charge, asked: Asked) {
  if (row.operation !== null) return undefined;
  if (asked === "create" || asked === "pay session") {
    if (row.status === "failed") return paymentRefused(attempts.find((attempt) => attempt.providerError !== null));
    const analysis = attempts.find((attempt) => attempt.requestType === "anti_fraud");
    if (row.status === "voided" && analysis?.providerError) return paymentRefused(analysis);
    return row.status === "voided"
      ? operationRefused(attempts.find((attempt) => attempt.kind === "capture"))
      : undefined;
  }
  const newest = attempts.find((attempt) => OF[asked].includes(attempt.kind));
  return newest?.requestStatus === "failed" ? operationRefused(newest) : undefined;
}

const OF: Record<Exclude<Asked, "create" | "pay session">, readonly AttemptRow["kind"][]> = {
  capture: ["capture"],
  void: ["void", "refund", "cancel_open"],
};

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
 * With a key these are the bytes of every repeat: those of whoever took over, or what is known by now.
 */
export const answerTakenOver = (ctx: Context, chargeId: string): Promise<Charge | StoredAnswer> =>
  inTransaction(ctx, async (inside) => {
    const charge = await withParts(inside, await lockCharge(inside, chargeId));
    const { db, account, idempotency } = inside;
    if (!idempotency) return charge;
    await answerKeys(inside, charge);
    return (await findAnswer(db, account.id, idempotency)) ?? charge;
  });

/** What a repeat is given, before anything else is asked of it: it needs no second captcha and no second place. */
export const answeredBefore = async (ctx: Context): Promise<StoredAnswer | undefined> => {
  const { idempotency } = ctx;
  return idempotency && inTransaction(ctx, ({ db, account }) => findAnswer(db, account.id, idempotency));
};

const askedBy = (path: string): Asked =>
  path.endsWith("/capture")
    ? "capture"
    : path.endsWith("/void")
      ? "void"
      : path.startsWith("/v1/sessions/")
        ? "pay session"
        : "create";

/** A request about a charge that was not answered yet. */
export interface OpenKey {
  namespace: string;
  key: string;
  path: string;
}

const IS_OPEN = equalsLiteral(idempotencyKeys.state, "open");

export const openKeysOf = (ctx: Context, chargeId: string): Promise<OpenKey[]> =>
  findRows(ctx.db, idempotencyKeys, { resourceId: chargeId }, { condition: IS_OPEN });

/** Stores the bytes that every repeat of the request will be given, in the transaction that made them true. */
export async function answerKeys(ctx: Context, charge: Charge, known?: OpenKey[]): Promise<void> {
  for (const open of known ?? (await openKeysOf(ctx, charge.row.id))) {
    await storeAnswer(ctx.db, ctx.account.id, open, chargeAnswer(charge, askedBy(open.path)), now(ctx));
  }
}

import { transactionRequests } from "@/db/schema/charges";
import { brandOf } from "@/lib/brazil/card-brand";
import { type Context, inTransaction, now } from "@/lib/context";
import { derivedId } from "@/lib/ids";
import { type AttemptRow, updateAttempt } from "@/lib/payments/attempts";
import { call, callTimeoutMs, query } from "@/lib/payments/call";
import type { RoutedProvider } from "@/lib/payments/routing/provider";
import { ableProviders } from "@/lib/payments/routing/record";
import type { CardAuth, CardSecret, Outcome } from "@/lib/providers/provider";
import { providerFor } from "@/lib/providers/registry";
import { readCardAndCvv } from "@/lib/vault/cards";

/** What a zero-amount authorisation told of a card. */
export type CardVerdict =
  | { kind: "approved"; cvvChecked: boolean }
  | { kind: "declined"; code: string }
  | { kind: "unknown" }
  | { kind: "no_provider" }
  | { kind: "provider_failed" };

export interface VerifiedCard {
  id: string;
  vaultId: string;
  /** As the API names it. */
  brand: string;
  cardHolderName: string;
  expirationMonth: string;
  expirationYear: string;
}

/** Asks the first provider of the merchant that can; its call is one recorded attempt of the card. */
export async function verifyCard(
  ctx: Context,
  card: VerifiedCard,
  merchantId: string,
  tokenId: string,
): Promise<CardVerdict> {
  const provider = await firstAble(ctx, merchantId, card.brand);
  if (!provider) return { kind: "no_provider" };
  const attempt = await inTransaction(ctx, (inside) => plan(inside, card.id, provider));
  const secret = await secretOf(ctx, card, tokenId);
  const subject = { chargeId: card.id, scenario: ctx.scenario ?? null };
  const { result, responseMs } = await call<CardAuth>(
    ctx,
    provider,
    attempt,
    subject,
    callTimeoutMs(attempt),
    (adapter, context) =>
      adapter.authorize(context, {
        amount: 0,
        currency: "BRL",
        capture: false,
        installments: 1,
        card: secret,
        holder: { name: card.cardHolderName },
        buyerPresent: true,
        crossBorder: false,
      }),
  );
  await inTransaction(ctx, (inside) => updateAttempt(inside, attempt.id, { ...recorded(result), responseMs }));
  return verdict(result, async () => {
    const found = await query(ctx, provider, attempt, subject, now(ctx));
    return found.kind === "found";
  });
}

async function firstAble(ctx: Context, merchantId: string, brand: string): Promise<RoutedProvider | undefined> {
  const needs = {
    method: "credit",
    amount: 0,
    brand,
    currency: "BRL",
    installments: 1,
    split: false,
    threeDS: false,
    authOnly: true,
  } as const;
  const [first] = await inTransaction(ctx, (inside) => ableProviders(inside, merchantId, needs));
  return first;
}

async function plan(ctx: Context, cardId: string, provider: RoutedProvider): Promise<AttemptRow> {
  const id = derivedId("attempt", cardId, "zero_dollar", 1);
  const at = now(ctx);
  const [row] = await ctx.db
    .insert(transactionRequests)
    .values({
      id,
      clientId: ctx.account.id,
      cardId,
      kind: "zero_dollar",
      state: "sent",
      sequence: 1,
      providerId: provider.id,
      providerType: provider.kind,
      reference: providerFor(provider.kind).attemptReference(id),
      requestType: "zero_dollar",
      requestStatus: "running",
      amount: 0,
      sentAt: at,
      createdAt: at,
      updatedAt: at,
    })
    .returning();
  if (!row) throw new Error("the attempt was not inserted");
  return row;
}

async function secretOf(ctx: Context, card: VerifiedCard, tokenId: string): Promise<CardSecret> {
  const { pan, cvv } = await readCardAndCvv(ctx.account.id, card.vaultId, tokenId);
  return {
    pan,
    ...(cvv === undefined ? {} : { cvv }),
    expMonth: card.expirationMonth,
    expYear: card.expirationYear,
    holderName: card.cardHolderName,
    brand: brandOf(pan),
  };
}

function recorded(outcome: Outcome<CardAuth>): Partial<typeof transactionRequests.$inferInsert> {
  switch (outcome.kind) {
    case "approved":
      return { state: "approved", requestStatus: "success", transactionId: outcome.providerTxId };
    case "declined":
      return { state: "declined", requestStatus: "failed", requestStatusReason: outcome.declinedCode };
    case "undetermined":
      return { state: "undetermined", requestStatus: "timeout", requestStatusReason: outcome.cause };
    case "not_sent":
      return { state: "not_sent", requestStatus: "failed", requestStatusReason: outcome.cause };
    case "rejected":
      return { state: "rejected", requestStatus: "failed", requestStatusReason: outcome.problem };
    default:
      return { state: "undetermined", requestStatus: "processing", requestStatusReason: outcome.kind };
  }
}

/** A failing provider that knows nothing of the check has failed; one that has it leaves the card pending. */
async function verdict(outcome: Outcome<CardAuth>, isKnown: () => Promise<boolean>): Promise<CardVerdict> {
  switch (outcome.kind) {
    case "approved":
      return { kind: "approved", cvvChecked: outcome.data.cvvChecked };
    case "declined":
      return { kind: "declined", code: outcome.declinedCode };
    case "rejected":
      return { kind: "provider_failed" };
    case "undetermined":
      return outcome.cause === "http_5xx" && !(await isKnown()) ? { kind: "provider_failed" } : { kind: "unknown" };
    default:
      return { kind: "unknown" };
  }
}

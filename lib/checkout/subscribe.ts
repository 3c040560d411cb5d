import { createCard } from "@/lib/cards/create";
import { findCardOrGone } from "@/lib/cards/queries";
import { type Charge, getCharge } from "@/lib/charges/queries";
import { findAttempt } from "@/lib/checkout/checkout-attempts";
import type { Person } from "@/lib/checkout/form";
import { type Context, inTransaction } from "@/lib/context";
import { createBuyer } from "@/lib/customers/service";
import { DomainError } from "@/lib/errors";
import type { Locale } from "@/lib/i18n/locales";
import { newId } from "@/lib/ids";
import { chargeRulesOf, makeRoom, type PayOptions } from "@/lib/session-payments/pay";
import { disabled, reserve } from "@/lib/sessions/places";
import { isOneToOne, type SessionRow } from "@/lib/sessions/state";
import { chooseFirst } from "@/lib/subscriptions/due";
import { closeStart, waitingStartsOf } from "@/lib/subscriptions/link-close";
import { insertMandated } from "@/lib/subscriptions/link-mandate";
import { findStart, type NewStart, recordStart, settleTrial } from "@/lib/subscriptions/link-start";
import { firstPaymentOf, mandateOf } from "@/lib/subscriptions/mandate-queries";
import { workOnMandate } from "@/lib/subscriptions/mandate-work";
import { cancelSubscription } from "@/lib/subscriptions/moves";
import { lockSubscription } from "@/lib/subscriptions/queries";
import { startTry } from "@/lib/subscriptions/start";
import type { CardData } from "@/lib/tokens/schema";
import { createToken } from "@/lib/tokens/service";
import { endCardCheck } from "@/lib/velocity/admit";

/** What a press of Subscribe is about to begin. */
export type Beginning = Pick<NewStart, "id" | "customerId" | "installments" | "splitRules" | "locale">;

/** The buyer becomes a customer of the shop: the one that the link was made for, else one of their own. */
export async function beginningOf(
  ctx: Context,
  session: SessionRow,
  { name, document, email }: Person,
  { installments, locale }: { installments: number; locale: Locale },
): Promise<Beginning> {
  const customerId =
    session.customerId ??
    (
      await inTransaction(ctx, (inside) =>
        createBuyer(inside, {
          name,
          email,
          phoneNumber: "",
          document: { ...document, country: "BR" },
          address: undefined,
        }),
      )
    ).id;
  // Guarantee: kept as the request schema of a subscription gives them, as JSON.
  const splitRules = chargeRulesOf(session) as unknown as NewStart["splitRules"];
  return { id: newId(), customerId, installments, splitRules, locale };
}

/** With the charge that pays its first cycle, in its transaction. */
export async function startWithCharge(
  ctx: Context,
  session: SessionRow,
  beginning: Beginning,
  chargeId: string,
): Promise<void> {
  const { row } = await getCharge(ctx, chargeId);
  if (row.cardId === null) throw new Error("a card's charge without its card");
  await recordStart(ctx, session, { ...beginning, chargeId, cardId: row.cardId });
}

/**
 * The buyer's bank is to pay: a Pix is offered that pays the first cycle and authorizes the others. The codes that the
 * link showed before are closed first, as before any other payment there.
 */
export async function startByBank(
  given: Context,
  session: SessionRow,
  beginning: Beginning,
  alongside: NonNullable<PayOptions["alongside"]>,
): Promise<Charge> {
  const { idempotency: _key, ...plain } = given;
  await makeRoom(plain, session.id);
  const ctx: Context = { ...plain, principal: { kind: "system" } };
  const { id, customerId, splitRules, locale } = beginning;
  const isStarted = await startTry(ctx, id, chooseFirst(), {
    session,
    alongside,
    before: (inside) => insertMandated(inside, session, { id, customerId, splitRules, locale }),
  });
  const mandate = await inTransaction(ctx, (inside) => mandateOf(inside, id));
  if (!isStarted || !mandate) {
    await inTransaction(ctx, async (inside) => {
      await cancelSubscription(inside, await lockSubscription(inside, id), "not_started");
    });
    throw new DomainError("provider_not_available", "nobody could offer the first payment");
  }
  await workOnMandate(ctx, mandate.id);
  return inTransaction(ctx, async (inside) => {
    const chargeId = await firstPaymentOf(inside, mandate);
    if (!chargeId) throw new Error("the first payment was not written");
    return getCharge(inside, chargeId);
  });
}

interface Trial {
  /** The key of the press. */
  key: string;
  /** In the transaction that takes the link's place, once the agreement is written. */
  alongside: (inside: Context, start: { startId: string; cardId: string | undefined }) => Promise<void>;
}

export type TrialBegun = { readonly startId: string } | { readonly refusal: string | undefined };

/** Nothing is charged: a new card is checked by an authorization of zero, a saved one was checked before. */
export async function startWithTrial(
  given: Context,
  session: SessionRow,
  beginning: Beginning,
  { key, card, alongside }: Trial & { card: { saved: string } | { typed: CardData } },
): Promise<TrialBegun> {
  const { idempotency: _key, ...plain } = given;
  await makeRoomForTrial(plain, session, key);
  const ctx: Context = { ...plain, principal: { kind: "system" } };
  const startId = beginning.id;
  const agree = async (inside: Context, cardId: string): Promise<void> => {
    await reserve(inside, session.id);
    await recordStart(inside, session, { ...beginning, chargeId: null, cardId });
    await alongside(inside, { startId, cardId });
  };
  if ("saved" in card) await inTransaction(ctx, (inside) => agree(inside, card.saved));
  else {
    const { tokenId } = await createToken(ctx, { kind: "card", card: card.typed });
    await createCard(ctx, { tokenId, merchantId: session.merchantId, cvvCheck: true }, agree);
  }
  await settleTrial(ctx, startId);
  return inTransaction(ctx, async (inside) => {
    const start = await findStart(inside, startId);
    if (!start) throw new Error("the start was not written");
    const isStarted = start.status === "started";
    const { cardId } = start;
    if (cardId === null) throw new Error("a card's trial without its card");
    if ("typed" in card) await endCardCheck(inside, cardId, isStarted ? "approved" : "declined");
    if (isStarted) return { startId };
    return { refusal: (await findCardOrGone(inside, cardId))?.statusReason ?? undefined };
  });
}

/**
 * The buyer's bank is to pay once the trial is over: a code is offered that authorizes it, and costs nothing. Refused
 * where no bank would give one.
 */
export async function startTrialByBank(
  given: Context,
  session: SessionRow,
  { id, customerId, splitRules, locale }: Beginning,
  { key, alongside }: Trial,
): Promise<TrialBegun> {
  const { idempotency: _key, ...plain } = given;
  await makeRoomForTrial(plain, session, key);
  const ctx: Context = { ...plain, principal: { kind: "system" } };
  const mandate = await inTransaction(ctx, async (inside) => {
    await reserve(inside, session.id);
    await insertMandated(inside, session, { id, customerId, splitRules, locale });
    await alongside(inside, { startId: id, cardId: undefined });
    return mandateOf(inside, id);
  });
  if (!mandate) throw new Error("the mandate was not written");
  await workOnMandate(ctx, mandate.id);
  const start = await inTransaction(ctx, (inside) => findStart(inside, id));
  return start?.status === "failed" ? { refusal: undefined } : { startId: id };
}

/** One-to-one: a code that waits is closed first, unless a press of the same form has just asked for it. */
async function makeRoomForTrial(ctx: Context, session: SessionRow, key: string): Promise<void> {
  if (!isOneToOne(session)) return;
  const waiting = await inTransaction(ctx, async (inside) => {
    const starts = await waitingStartsOf(inside, session.id);
    if (starts.length > 0 && (await findAttempt(inside, key))) throw disabled();
    return starts;
  });
  for (const { id } of waiting) if (!(await closeStart(ctx, id, "replaced"))) throw disabled();
}

import { createCard } from "@/lib/cards/create";
import { findCardOrGone } from "@/lib/cards/queries";
import { getCharge } from "@/lib/charges/queries";
import type { Person } from "@/lib/checkout/form";
import { type Context, inTransaction } from "@/lib/context";
import { createBuyer } from "@/lib/customers/service";
import type { Locale } from "@/lib/i18n/locales";
import { newId } from "@/lib/ids";
import { rulesOf } from "@/lib/session-payments/pay";
import { reserve } from "@/lib/sessions/places";
import type { SessionRow } from "@/lib/sessions/state";
import { findStart, type NewStart, recordStart, settleTrial } from "@/lib/subscriptions/link-start";
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
  const splitRules = rulesOf(session) as unknown as NewStart["splitRules"];
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

interface Trial {
  /** In the transaction that takes the link's place, once the agreement is written. */
  alongside: (inside: Context, start: { startId: string; cardId: string }) => Promise<void>;
}

export type TrialBegun = { readonly startId: string } | { readonly refusal: string | undefined };

/** Nothing is charged: a new card is checked by an authorization of zero, a saved one was checked before. */
export async function startWithTrial(
  given: Context,
  session: SessionRow,
  beginning: Beginning,
  { card, alongside }: Trial & { card: { saved: string } | { typed: CardData } },
): Promise<TrialBegun> {
  const { idempotency: _key, ...plain } = given;
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
    if ("typed" in card) await endCardCheck(inside, start.cardId, isStarted ? "approved" : "declined");
    if (isStarted) return { startId };
    return { refusal: (await findCardOrGone(inside, start.cardId))?.statusReason ?? undefined };
  });
}

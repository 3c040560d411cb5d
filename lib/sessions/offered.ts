import type { SessionSubscription } from "@/db/schema/sessions";
import { type CivilDate, saoPauloDay } from "@/lib/brazil/bank-calendar";
import { type Context, now } from "@/lib/context";
import { hasMandateKeeper } from "@/lib/payments/routing/mandates";
import type { SessionRow } from "@/lib/sessions/state";
import { checkoutRulesOf, looksOf, worn } from "@/lib/settings/look";

export interface OfferedSession extends SessionRow {
  /** Absent means yes. */
  takesSeveralCards?: boolean;
  /** Cents that no instalment may be less than, on none of the cards. */
  leastPart?: number;
  /** The day that its boleto was due, once that has passed: the method is offered no more. */
  pastBoletoDay?: CivilDate | undefined;
}

/** The due date of the session's boleto where that has passed: no provider issues one for it. */
export function pastBoletoDayOf(
  { paymentMethods }: Pick<SessionRow, "paymentMethods">,
  at: Date,
): CivilDate | undefined {
  const day = paymentMethods.find(({ paymentType }) => paymentType === "boleto")?.expiresDate;
  return typeof day === "string" && day < saoPauloDay(at) ? day : undefined;
}

/** The session as its buyers may pay it: its own terms, narrowed by the shop's rules for its checkout. */
export async function asOffered(ctx: Context, session: SessionRow): Promise<OfferedSession> {
  const rules = checkoutRulesOf(worn(await looksOf(ctx, session.merchantId)));
  const pastBoletoDay = pastBoletoDayOf(session, now(ctx));
  const methods = (await payableMethods(ctx, session)).filter(
    ({ paymentType }) => paymentType !== "boleto" || pastBoletoDay === undefined,
  );
  return {
    ...session,
    captchaEnabled: session.captchaEnabled || rules.captcha,
    takesSeveralCards: rules.severalCards,
    leastPart: rules.leastPart,
    pastBoletoDay,
    paymentMethods: methods.map((method) =>
      method.paymentType === "credit" && typeof method.installments === "number"
        ? { ...method, installments: mostParts(session.amount, method.installments, rules.leastPart) }
        : method,
    ),
  };
}

/** A bank pays by itself where a provider of the shop keeps its mandate; where there is no other way it is told so. */
async function payableMethods(
  ctx: Context,
  { subscription, merchantId, paymentMethods }: SessionRow,
): Promise<SessionRow["paymentMethods"]> {
  const others = paymentMethods.filter(({ paymentType }) => paymentType !== "pix");
  if (!subscription || others.length === 0 || others.length === paymentMethods.length) return paymentMethods;
  const { interval } = subscription;
  const asked = { journey: journeyOf(subscription), retry: "three_in_seven_days", interval } as const;
  return (await hasMandateKeeper(ctx, merchantId, asked)) ? paymentMethods : others;
}

/** What begins with a trial begins with nothing to pay. */
export const journeyOf = ({ trial }: SessionSubscription): "qr" | "qr_with_first_payment" =>
  trial ? "qr" : "qr_with_first_payment";

export const mostParts = (amount: number, most: number, leastPart: number): number =>
  leastPart > 0 ? Math.max(1, Math.min(most, Math.floor(amount / leastPart))) : most;

import type { Context } from "@/lib/context";
import type { SessionRow } from "@/lib/sessions/state";
import { looksOf, rulesOf, worn } from "@/lib/settings/look";

export interface OfferedSession extends SessionRow {
  /** Absent means yes. */
  takesSeveralCards?: boolean;
  /** Cents that no instalment may be less than, on none of the cards. */
  leastPart?: number;
}

/** The session as its buyers may pay it: its own terms, narrowed by the shop's rules for its checkout. */
export async function asOffered(ctx: Context, session: SessionRow): Promise<OfferedSession> {
  const rules = rulesOf(worn(await looksOf(ctx, session.merchantId)));
  return {
    ...session,
    captchaEnabled: session.captchaEnabled || rules.captcha,
    takesSeveralCards: rules.severalCards,
    leastPart: rules.leastPart,
    paymentMethods: session.paymentMethods.map((method) =>
      method.paymentType === "credit" && typeof method.installments === "number"
        ? { ...method, installments: mostParts(session.amount, method.installments, rules.leastPart) }
        : method,
    ),
  };
}

export const mostParts = (amount: number, most: number, leastPart: number): number =>
  leastPart > 0 ? Math.max(1, Math.min(most, Math.floor(amount / leastPart))) : most;

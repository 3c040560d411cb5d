import { type PresentedCaptcha, readCaptcha, takeCaptcha } from "@/lib/captcha/verify";
import type { Context } from "@/lib/context";
import { captchaPlaceOf } from "@/lib/velocity/address";
import { type AdmittedPayment, admitCards, cardsClosed } from "@/lib/velocity/admit";
import { checkVelocity, type VelocityStanding } from "@/lib/velocity/check";
import type { CardSubject } from "@/lib/velocity/subject";

export interface Visitor extends CardSubject {
  /** X-Captcha-Token, the form's field, or `questionToken(…)`. */
  captcha: PresentedCaptcha["token"];
  isCard: boolean;
  /** The page's Pix and boleto forms alone. */
  acceptsQuestion?: boolean;
}

export interface Gate {
  standing: VelocityStanding;
  /**
   * In the transaction that accepts the payment: counts its cards and uses the captcha up, or refuses it. Undefined of
   * what is neither a payment nor a card.
   */
  pass(inside: Context, payment: AdmittedPayment | undefined): Promise<void>;
}

const OPEN: Gate = { standing: { captcha: "none", cards: "open", isNeutral: false }, pass: async () => undefined };

/**
 * Everything that stands between a buyer and a payment: limits against card testing and the captcha. For the page and
 * for keys that browsers hold; a shop's secret key passes, since all its buyers come from the shop's address.
 */
export async function openGate(ctx: Context, visitor: Visitor): Promise<Gate> {
  if (ctx.principal.kind !== "session" && ctx.principal.kind !== "public") return OPEN;
  return gateOf(ctx, visitor);
}

/** The same for whoever stands before a page of ours, whose work is done in the name of the system. */
export async function gateOf(ctx: Context, visitor: Visitor): Promise<Gate> {
  const { isCard, captchaEnabled, acceptsQuestion = false, key, ip, isOfSubscription = false } = visitor;
  // Our own question whatever the service: its widget is bound to the frame of a link.
  const means = key === undefined && !isOfSubscription ? {} : ({ setup: { provider: "pow" } } as const);
  const sessionId = key === undefined ? visitor.sessionId : captchaPlaceOf(key, ip);
  const standing = await checkVelocity(ctx, visitor);
  const level = isCard || captchaEnabled ? standing.captcha : "none";
  const proof = await readCaptcha({ token: visitor.captcha, sessionId, account: ctx.account, ip }, means);
  return {
    standing,
    async pass(inside, payment) {
      if (isCard && standing.cards !== "open") throw cardsClosed(standing.cards, standing.retryAfterSeconds);
      await takeCaptcha(inside, proof, { sessionId, level, acceptsQuestion: acceptsQuestion && !isCard });
      if (!isCard) return;
      if (payment === undefined) throw new Error("a card that nobody counts");
      await admitCards(inside, visitor, payment);
    },
  };
}

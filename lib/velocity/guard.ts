import type { Context } from "@/lib/context";
import { DomainError } from "@/lib/errors";
import { captchaPlaceOf } from "@/lib/velocity/address";
import type { AdmittedPayment } from "@/lib/velocity/admit";
import { openGate } from "@/lib/velocity/gate";

export interface GuardedPayment {
  /** Absent: the payment of no session, which a public key makes by itself. */
  sessionId?: string;
  merchantId: string;
  amount: number;
  captchaEnabled: boolean;
}

interface Guarded {
  payment: GuardedPayment;
  isCard: boolean;
  /** X-Captcha-Token. */
  captcha: string | null;
}

/**
 * What a payment through the API with a browser's key must pass, in the transaction that accepts it; undefined for the
 * shop's own server. A public key's buyers have no visit: it is counted with the address.
 */
export async function guardOf(
  ctx: Context,
  { payment, isCard, captcha }: Guarded,
): Promise<((inside: Context, payment: AdmittedPayment) => Promise<void>) | undefined> {
  const { principal, ip = "unknown" } = ctx;
  if (principal.kind !== "session" && principal.kind !== "public") return undefined;
  const key = principal.kind === "public" ? principal.rootKey : undefined;
  const gate = await openGate(ctx, {
    ...payment,
    sessionId: payment.sessionId ?? key ?? principal.publicKey,
    visit: key === undefined ? ip : captchaPlaceOf(key, ip),
    ip,
    captcha,
    isCard,
    ...(key === undefined ? {} : { key }),
  });
  const isAsked = payment.captchaEnabled || (isCard && gate.standing.captcha !== "none");
  if (isAsked && captcha === null) throw new DomainError("captcha_required", "the captcha must be solved");
  return (inside, accepted) => gate.pass(inside, accepted);
}

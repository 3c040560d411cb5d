import type { Visitor } from "@/app/(checkout)/visitor";
import type { OpenedSession } from "@/lib/sessions/open";
import { checkVelocity, type VelocityStanding } from "@/lib/velocity/check";

/** What a card of this visitor would have to prove on the link now. */
export const velocityOf = ({ visit, ip }: Visitor, { ctx, session }: OpenedSession): Promise<VelocityStanding> =>
  checkVelocity(ctx, {
    sessionId: session.id,
    merchantId: session.merchantId,
    visit,
    ip,
    amount: session.amount,
    captchaEnabled: session.captchaEnabled,
  });

import { json } from "@/app/(checkout)/answer";
import { guarded } from "@/app/(checkout)/link";
import { visitorOf } from "@/app/(checkout)/visitor";
import { newChallenge } from "@/lib/captcha/challenge";
import { checkVelocity } from "@/lib/velocity/check";

interface RouteContext {
  params: Promise<{ sessionId: string }>;
}

/** A challenge for this link, as hard as the link's situation asks for. */
export async function GET(request: Request, { params }: RouteContext): Promise<Response> {
  const { sessionId } = await params;
  const visitor = visitorOf(request);
  return guarded(visitor, sessionId, async ({ ctx, session }) => {
    const { captcha } = await checkVelocity(ctx, {
      sessionId,
      merchantId: session.merchantId,
      visit: visitor.visit,
      ip: visitor.ip,
      amount: session.amount,
      captchaEnabled: session.captchaEnabled,
    });
    return json(visitor, 200, newChallenge({ sessionId, level: captcha === "hard" ? "hard" : "normal" }));
  });
}

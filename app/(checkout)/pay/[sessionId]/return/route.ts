import { seeOther } from "@/app/(checkout)/answer";
import { stageOf } from "@/app/(checkout)/frame";
import { guarded, linkPage } from "@/app/(checkout)/link";
import { visitorOf } from "@/app/(checkout)/visitor";
import { findAttempt, paymentOf } from "@/lib/checkout/checkout-attempts";
import { paymentTokenOf } from "@/lib/checkout/payment-token";
import { inTransaction } from "@/lib/context";
import { isUuid } from "@/lib/ids";

interface RouteContext {
  params: Promise<{ sessionId: string }>;
}

/** Back from the bank: the attempt's own key finds its payment, since a browser may bring no cookie from another site. */
export async function GET(request: Request, { params }: RouteContext): Promise<Response> {
  const { sessionId } = await params;
  const visitor = visitorOf(request);
  return guarded(visitor, sessionId, async (opened) => {
    const key = visitor.url.searchParams.get("attempt") ?? "";
    const attempt = isUuid(key) ? await inTransaction(opened.ctx, (inside) => findAttempt(inside, key)) : undefined;
    if (attempt?.sessionId !== sessionId) return linkPage(visitor, opened);
    const { frame } = await stageOf(visitor, opened, sessionId);
    const suffix = `?lang=${visitor.locale}${frame.isEmbedded ? "&embed=1" : ""}`;
    return seeOther(visitor, `${frame.base}/p/${paymentTokenOf(paymentOf(attempt))}${suffix}#heading`);
  });
}

import { page, seeOther } from "@/app/(checkout)/answer";
import { stageOf } from "@/app/(checkout)/frame";
import { guarded, linkPage } from "@/app/(checkout)/link";
import { visitorOf } from "@/app/(checkout)/visitor";
import { BackToShop } from "@/components/checkout/back-to-shop";
import { findAttempt, paymentOf } from "@/lib/checkout/checkout-attempts";
import { paymentTokenOf } from "@/lib/checkout/payment-token";
import { shopPageOf, shopPageWith } from "@/lib/checkout/return-address";
import { shownAs } from "@/lib/checkout/view";
import { inTransaction } from "@/lib/context";
import { isUuid } from "@/lib/ids";
import { lookOfShop } from "@/lib/settings/brand";

interface RouteContext {
  params: Promise<{ sessionId: string }>;
}

/**
 * Back from the bank: the attempt's own key finds its payment, since a browser may bring no cookie from another site.
 * Who paid inside the shop's page goes on there.
 */
export async function GET(request: Request, { params }: RouteContext): Promise<Response> {
  const { sessionId } = await params;
  const visitor = visitorOf(request);
  return guarded(visitor, sessionId, async (opened) => {
    const key = visitor.url.searchParams.get("attempt") ?? "";
    const attempt = isUuid(key) ? await inTransaction(opened.ctx, (inside) => findAttempt(inside, key)) : undefined;
    if (attempt?.sessionId !== sessionId) return linkPage(visitor, opened);
    const payment = paymentOf(attempt);
    const { siteUrl } = await lookOfShop(opened.ctx, opened.session.merchantId);
    const shopPage = shopPageOf(visitor.url.searchParams.get("back"), siteUrl);
    const { frame, policy } = await stageOf(visitor, opened, sessionId);
    if (shopPage) {
      const to = shopPageWith(shopPage, sessionId, payment);
      return page(visitor, 200, policy, <BackToShop frame={frame} to={to} />);
    }
    const suffix = `?${shownAs(visitor)}`;
    return seeOther(visitor, `${frame.base}/p/${paymentTokenOf(payment)}${suffix}#heading`);
  });
}

import { json, seeOther } from "@/app/(checkout)/answer";
import { type PaymentRoute, withPayment } from "@/app/(checkout)/payment";
import { statusOf } from "@/app/(checkout)/status";
import { comesFromUs, visitorOf } from "@/app/(checkout)/visitor";
import { askProvider } from "@/lib/checkout/actions";
import { formOf } from "@/lib/checkout/form";
import { loadPayment } from "@/lib/checkout/load";
import { paymentPathOf } from "@/lib/checkout/payment-token";
import { shownAs } from "@/lib/checkout/view";

/** "I have paid": the provider is asked before the page is shown again. */
export async function POST(request: Request, context: PaymentRoute): Promise<Response> {
  const visitor = visitorOf(request, formOf(await request.text()));
  return withPayment(visitor, context, async ({ ctx, session, id, view }) => {
    if (comesFromUs(request) && view.method !== "cards") await askProvider(ctx, view);
    const now = await loadPayment(ctx, session.id, id);
    if (visitor.wantsJson) return json(visitor, 200, statusOf(visitor, now?.view ?? view));
    return seeOther(visitor, `${paymentPathOf(session.id, id)}?${shownAs(visitor)}&asked=1`);
  });
}

import { seeOther } from "@/app/(checkout)/answer";
import { unknownLink } from "@/app/(checkout)/link";
import { type PaymentRoute, withPayment } from "@/app/(checkout)/payment";
import { comesFromUs, visitorOf } from "@/app/(checkout)/visitor";
import { formOf } from "@/lib/checkout/form";
import { paymentPathOf } from "@/lib/checkout/payment-token";
import { shownAs } from "@/lib/checkout/view";
import { payBoleto, payPix } from "@/lib/providers/sandbox/api/tools";

/** Sandbox accounts only; anywhere else this page does not exist. */
export async function POST(request: Request, context: PaymentRoute): Promise<Response> {
  const visitor = visitorOf(request, formOf(await request.text()));
  return withPayment(visitor, context, async ({ ctx, session, id, view }) => {
    if (ctx.account.mode !== "sandbox") return unknownLink(visitor);
    // An overdue boleto is paid as its page asks, with fine and interest.
    const amount = view.boleto?.owed ?? undefined;
    if (comesFromUs(request) && view.canSimulate)
      await (view.method === "boleto" ? payBoleto : payPix)(ctx, id, { amount });
    return seeOther(visitor, `${paymentPathOf(session.id, id)}?${shownAs(visitor)}#heading`);
  });
}

import { seeOther } from "@/app/(checkout)/answer";
import { type PaymentRoute, withPayment } from "@/app/(checkout)/payment";
import { comesFromUs, visitorOf } from "@/app/(checkout)/visitor";
import { goOnFromDevice } from "@/lib/charges/three-ds";
import { formOf } from "@/lib/checkout/form";
import { paymentPathOf } from "@/lib/checkout/payment-token";
import { shownAs } from "@/lib/checkout/view";

/** The bank has looked at the browser, or was not waited for: its decision is asked for. */
export async function POST(request: Request, context: PaymentRoute): Promise<Response> {
  const form = formOf(await request.text());
  const visitor = visitorOf(request, form);
  return withPayment(visitor, context, async ({ ctx, session, id, view }) => {
    if (comesFromUs(request) && view.device) await goOnFromDevice(ctx, id, form.get("seen") === "Y" ? "Y" : "N");
    const suffix = `?${shownAs(visitor)}&looked=1`;
    return seeOther(visitor, `${paymentPathOf(session.id, id)}${suffix}#heading`);
  });
}

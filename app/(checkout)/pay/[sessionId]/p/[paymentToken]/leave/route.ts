import { seeOther } from "@/app/(checkout)/answer";
import { unknownLink } from "@/app/(checkout)/link";
import { type PaymentRoute, withPayment } from "@/app/(checkout)/payment";
import { comesFromUs, visitorOf } from "@/app/(checkout)/visitor";
import { LEFT_ID } from "@/components/checkout/notice";
import { leaveBank } from "@/lib/checkout/actions";
import { formOf } from "@/lib/checkout/form";
import { loadPayment } from "@/lib/checkout/load";
import { linkUrlOf, paymentIdOf, paymentPathOf } from "@/lib/checkout/payment-token";
import { shownAs } from "@/lib/checkout/view";
import { isUuid } from "@/lib/ids";

/** The buyer does not go to the bank and pays in another way; where the bank has answered already, its answer is shown. */
export async function POST(request: Request, context: PaymentRoute): Promise<Response> {
  const visitor = visitorOf(request, formOf(await request.text()));
  return withPayment(visitor, context, async ({ ctx, session, id, view }) => {
    if (comesFromUs(request) && view.challenge) await leaveBank(ctx, id);
    const { view: now = view } = (await loadPayment(ctx, session.id, id)) ?? {};
    // Who left is not told that the bank refused, but what became of that payment.
    const link = `${new URL(linkUrlOf(session.id)).pathname}?told=${now.token}&left=1&${shownAs(visitor)}#${LEFT_ID}`;
    const own = `${paymentPathOf(session.id, id)}?${shownAs(visitor)}#heading`;
    return seeOther(visitor, now.state === "declined" && now.canPayAgain ? link : own);
  });
}

/** Of a browser that opens its tabs again, which asks for what a form was answered with. */
export async function GET(request: Request, { params }: PaymentRoute): Promise<Response> {
  const { sessionId, paymentToken } = await params;
  const visitor = visitorOf(request);
  const id = paymentIdOf(paymentToken);
  if (!id || !isUuid(sessionId)) return unknownLink(visitor);
  return seeOther(visitor, `${paymentPathOf(sessionId, id)}?${shownAs(visitor)}`);
}

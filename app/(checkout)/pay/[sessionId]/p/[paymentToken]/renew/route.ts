import { seeOther } from "@/app/(checkout)/answer";
import { linkPage } from "@/app/(checkout)/link";
import { type OpenedPayment, type PaymentRoute, withPayment } from "@/app/(checkout)/payment";
import { comesFromUs, visitorOf } from "@/app/(checkout)/visitor";
import { renewPix, TooManyCodes } from "@/lib/checkout/actions";
import { formOf } from "@/lib/checkout/form";
import { paymentPathOf } from "@/lib/checkout/payment-token";
import { shownAs } from "@/lib/checkout/view";
import { DomainError } from "@/lib/errors";

/** A new Pix in place: same link, same data, no form. */
export async function POST(request: Request, context: PaymentRoute): Promise<Response> {
  const visitor = visitorOf(request, formOf(await request.text()));
  const work = async (opened: OpenedPayment): Promise<Response> => {
    const { view } = opened;
    if (!comesFromUs(request) || view.method !== "pix") return linkPage(visitor, opened);
    try {
      const next = await renewPix(opened, view, visitor);
      return seeOther(visitor, `${paymentPathOf(opened.session.id, next)}?${shownAs(visitor)}#heading`);
    } catch (thrown) {
      if (thrown instanceof TooManyCodes)
        return linkPage(visitor, opened, { notice: { kind: "problem", problem: "pixLimit" } });
      if (thrown instanceof DomainError) return linkPage(visitor, opened);
      throw thrown;
    }
  };
  return withPayment(visitor, context, work, { alsoClosed: false });
}

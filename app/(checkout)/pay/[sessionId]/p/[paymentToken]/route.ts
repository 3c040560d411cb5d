import { type PaymentRoute, paymentPage, withPayment } from "@/app/(checkout)/payment";
import { visitorOf } from "@/app/(checkout)/visitor";

export async function GET(request: Request, context: PaymentRoute): Promise<Response> {
  const visitor = visitorOf(request);
  const asked = visitor.url.searchParams.get("asked") === "1";
  return withPayment(visitor, context, (opened) => paymentPage(visitor, opened), { asked });
}

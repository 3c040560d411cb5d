import { file } from "@/app/(checkout)/answer";
import { unknownLink } from "@/app/(checkout)/link";
import { type PaymentRoute, withPayment } from "@/app/(checkout)/payment";
import { visitorOf } from "@/app/(checkout)/visitor";
import { fileNameOf, receiptFile } from "@/lib/checkout/documents";

export async function GET(request: Request, context: PaymentRoute): Promise<Response> {
  const visitor = visitorOf(request);
  return withPayment(visitor, context, async ({ ctx, session, view }) => {
    const body = await receiptFile(ctx, session, view, visitor.locale);
    return body ? file(visitor, body, fileNameOf("receipt", view, visitor.locale)) : unknownLink(visitor);
  });
}

import { eventStream } from "@/app/(checkout)/answer";
import { type PaymentRoute, withPayment } from "@/app/(checkout)/payment";
import { statusOf } from "@/app/(checkout)/status";
import { visitorOf } from "@/app/(checkout)/visitor";
import { follow } from "@/lib/checkout/live";
import { loadPayment } from "@/lib/checkout/load";

export async function GET(request: Request, context: PaymentRoute): Promise<Response> {
  const visitor = visitorOf(request);
  return withPayment(visitor, context, async ({ ctx, session, id, view }) => {
    const read = async () => (await loadPayment(ctx, session.id, id))?.view ?? view;
    return eventStream(
      visitor,
      follow(id, request.signal, async () => JSON.stringify(statusOf(visitor, await read()))),
    );
  });
}

import { eventStream } from "@/app/(checkout)/answer";
import { type PaymentRoute, withPayment } from "@/app/(checkout)/payment";
import { statusOf } from "@/app/(checkout)/status";
import { visitorOf } from "@/app/(checkout)/visitor";
import { askSooner } from "@/lib/checkout/actions";
import { follow } from "@/lib/checkout/live";
import { loadPayment } from "@/lib/checkout/load";

export async function GET(request: Request, context: PaymentRoute): Promise<Response> {
  const visitor = visitorOf(request);
  return withPayment(visitor, context, async ({ ctx, session, id, view }) => {
    const read = async () => {
      const seen = (await loadPayment(ctx, session.id, id))?.view ?? view;
      await askSooner(ctx, seen);
      return seen;
    };
    return eventStream(
      visitor,
      follow(id, request.signal, async () => JSON.stringify(statusOf(visitor, await read()))),
    );
  });
}

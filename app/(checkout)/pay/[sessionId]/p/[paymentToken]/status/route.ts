import { json } from "@/app/(checkout)/answer";
import { type PaymentRoute, withPayment } from "@/app/(checkout)/payment";
import { statusOf, watchedStatus } from "@/app/(checkout)/status";
import { visitorOf } from "@/app/(checkout)/visitor";

export async function GET(request: Request, context: PaymentRoute): Promise<Response> {
  const visitor = visitorOf(request);
  const isWatched = visitor.url.searchParams.get("watch") === "1";
  return withPayment(visitor, context, async (opened) =>
    json(visitor, 200, isWatched ? await watchedStatus(visitor, opened) : statusOf(visitor, opened.view)),
  );
}

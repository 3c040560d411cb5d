import { type SubscriptionRoute, toPage, withSubscription } from "@/app/(checkout)/subscription";
import { cancelByBuyer } from "@/lib/checkout/subscription";

/** The end of it, where the shop lets its buyers do that; pressed twice it has ended once. */
export const POST = (request: Request, route: SubscriptionRoute): Promise<Response> =>
  withSubscription(request, route, async (asked) => {
    await cancelByBuyer(asked.opened);
    return toPage(asked);
  });

export const GET = (request: Request, route: SubscriptionRoute): Promise<Response> =>
  withSubscription(request, route, async (asked) => toPage(asked));

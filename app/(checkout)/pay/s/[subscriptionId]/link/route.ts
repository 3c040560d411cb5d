import {
  closedSubscription,
  type SubscriptionRoute,
  subscriptionPage,
  withSubscription,
} from "@/app/(checkout)/subscription";
import { isEnded, sendFreshLink } from "@/lib/checkout/subscription";

/** Whose link is too old gets another by e-mail, once a day. */
export const POST = (request: Request, route: SubscriptionRoute): Promise<Response> =>
  withSubscription(request, route, async (asked) => {
    if (isEnded(asked.opened)) return subscriptionPage(asked);
    return closedSubscription(asked, (await sendFreshLink(asked.opened)) ? "sent" : "again");
  });

export const GET = (request: Request, route: SubscriptionRoute): Promise<Response> =>
  withSubscription(request, route, (asked) => subscriptionPage(asked));

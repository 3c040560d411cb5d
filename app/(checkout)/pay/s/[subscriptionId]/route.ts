import { type SubscriptionRoute, subscriptionPage, withSubscription } from "@/app/(checkout)/subscription";

const DONE = ["paid", "pending", "saved"] as const;

/** What an e-mail links to: the subscription, and another card for it. */
export const GET = (request: Request, route: SubscriptionRoute): Promise<Response> =>
  withSubscription(request, route, (asked) => {
    const told = asked.visitor.url.searchParams.get("done");
    return subscriptionPage(asked, { done: DONE.find((one) => one === told) ?? null });
  });

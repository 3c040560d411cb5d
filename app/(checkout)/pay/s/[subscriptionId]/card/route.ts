import {
  refusalJson,
  type SubscriptionRoute,
  subscriptionPage,
  toPage,
  withSubscription,
} from "@/app/(checkout)/subscription";
import { isEnded, openSubscription, pressCard } from "@/lib/checkout/subscription";

/** Another card, from the form or from the script that enhances it. */
export const POST = (request: Request, route: SubscriptionRoute): Promise<Response> =>
  withSubscription(request, route, async (asked) => {
    const { visitor, opened, form, token } = asked;
    if (opened.link === "expired" || isEnded(opened))
      return visitor.wantsJson ? toPage(asked) : subscriptionPage(asked);
    const pressed = await pressCard(opened, form, visitor);
    if (pressed.kind === "done") return toPage(asked, { done: pressed.done });
    if (visitor.wantsJson) return refusalJson(asked, pressed.notice);
    // The state may have changed with the try.
    const fresh = await openSubscription(opened.row.id, token, visitor);
    return subscriptionPage({ ...asked, opened: fresh ?? opened }, { notice: pressed.notice });
  });

/** A page that came as an answer is loaded again. */
export const GET = (request: Request, route: SubscriptionRoute): Promise<Response> =>
  withSubscription(request, route, async (asked) => toPage(asked));

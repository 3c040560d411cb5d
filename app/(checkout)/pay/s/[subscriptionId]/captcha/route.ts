import { json } from "@/app/(checkout)/answer";
import { type SubscriptionRoute, withSubscription } from "@/app/(checkout)/subscription";
import { newChallenge } from "@/lib/captcha/challenge";
import { standingOf } from "@/lib/checkout/subscription";

/** A challenge for this page, as hard as its situation asks for. */
export const GET = (request: Request, route: SubscriptionRoute): Promise<Response> =>
  withSubscription(request, route, async ({ visitor, opened }) => {
    const { captcha } = await standingOf(opened, visitor);
    return json(
      visitor,
      200,
      newChallenge({ sessionId: opened.row.id, level: captcha === "hard" ? "hard" : "normal" }),
    );
  });

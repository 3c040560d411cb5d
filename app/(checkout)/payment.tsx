import { page } from "@/app/(checkout)/answer";
import { stageOf } from "@/app/(checkout)/frame";
import { guarded, unknownLink } from "@/app/(checkout)/link";
import { velocityOf } from "@/app/(checkout)/velocity";
import type { Visitor } from "@/app/(checkout)/visitor";
import { PaymentPage } from "@/components/checkout/payment-page";
import { isByCard } from "@/lib/checkout/declines";
import { loadPayment } from "@/lib/checkout/load";
import type { Policy } from "@/lib/checkout/page-policy";
import { paymentIdOf } from "@/lib/checkout/payment-token";
import type { PaymentView } from "@/lib/checkout/view";
import { env } from "@/lib/env";
import type { OpenedSession } from "@/lib/sessions/open";

export interface PaymentRoute {
  params: Promise<{ sessionId: string; paymentToken: string }>;
}

export interface OpenedPayment extends OpenedSession {
  readonly id: string;
  readonly view: PaymentView;
}

/** A token that names no payment of this link is answered as no link at all. */
export async function withPayment(
  visitor: Visitor,
  { params }: PaymentRoute,
  run: (opened: OpenedPayment) => Promise<Response>,
  { asked = false, alsoClosed = true }: { asked?: boolean; alsoClosed?: boolean } = {},
): Promise<Response> {
  const { sessionId, paymentToken } = await params;
  const work = async (opened: OpenedSession) => {
    const id = paymentIdOf(paymentToken);
    const found = id && (await loadPayment(opened.ctx, sessionId, id, { asked, visit: visitor.visit }));
    if (!id || !found) return unknownLink(visitor);
    return run({ ...opened, session: found.session, id, view: found.view });
  };
  return guarded(visitor, sessionId, work, { alsoClosed });
}

export async function paymentPage(visitor: Visitor, { view, ...opened }: OpenedPayment): Promise<Response> {
  const { frame, policy } = await stageOf(visitor, opened, opened.session.id);
  return page(
    visitor,
    200,
    { ...policy, ...toBank(view) },
    <PaymentPage
      frame={frame}
      view={view}
      isByOtherCard={visitor.url.searchParams.get("card") === "other"}
      needsScript={await needsScript(visitor, { view, ...opened })}
    />,
  );
}

/** Whether another card is offered that would have to prove what only a script can. */
const needsScript = async (visitor: Visitor, { view, ...opened }: OpenedPayment): Promise<boolean> =>
  view.canPayAgain && view.actions.some(isByCard) && (await velocityOf(visitor, opened)).captcha !== "none";

/**
 * The one page whose form leaves us, or that frames another: the bank's, by the origin that the provider named and no
 * other, and in that frame our own page again.
 */
function toBank({ challenge, device }: PaymentView): Pick<Policy, "formTarget" | "frames"> {
  const { protocol, origin } = new URL(challenge?.action ?? device?.action ?? "about:blank");
  if (protocol !== "https:" && origin !== new URL(env().BASE_URL).origin) return {};
  return { formTarget: origin, ...(device ? { frames: `'self' ${origin}` } : {}) };
}

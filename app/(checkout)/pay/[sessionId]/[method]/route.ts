import { json, seeOther } from "@/app/(checkout)/answer";
import { stageOf } from "@/app/(checkout)/frame";
import { guarded, isMethod, linkPage, unknownLink } from "@/app/(checkout)/link";
import { answerText } from "@/app/(checkout)/texts";
import { comesFromUs, typedCookie, visitorOf } from "@/app/(checkout)/visitor";
import { formOf, keptValues } from "@/lib/checkout/form";
import { press } from "@/lib/checkout/pay";
import { paymentTokenOf } from "@/lib/checkout/payment-token";
import { shopPageOf } from "@/lib/checkout/return-address";
import { sealTyped } from "@/lib/checkout/typed-before";
import { shownAs } from "@/lib/checkout/view";
import { readAttempt } from "@/lib/checkout/visit";
import { isUuid } from "@/lib/ids";
import { openSession } from "@/lib/sessions/open";
import { paymentLinkOf } from "@/lib/sessions/serializer";

interface RouteContext {
  params: Promise<{ sessionId: string; method: string }>;
}

const MOST_BYTES = 32_768;

/** Pay: from a form, or from the script that enhances it. */
export async function POST(request: Request, { params }: RouteContext): Promise<Response> {
  const { sessionId, method } = await params;
  const body = await request.text();
  const form = new Map(formOf(body.slice(0, MOST_BYTES)));
  // The page as it is, in another language: nothing is paid.
  const to = form.get("to");
  if (to) {
    form.set("lang", to);
    // The question whether to pay once more is not on that page: the next press is asked it again.
    form.delete("again");
  }
  const asked = visitorOf(request, form);
  // The form's own visit holds where a browser keeps no cookies.
  const attempt = readAttempt(sessionId, form.get("attempt") ?? "");
  const visitor = { ...asked, visit: attempt?.visit ?? asked.visit };
  if (!isMethod(method)) return unknownLink(visitor);
  return guarded(visitor, sessionId, async (opened) => {
    if (to) return linkPage(visitor, opened, comesFromUs(request) ? { method, form } : { method });
    const stage = await stageOf(visitor, opened, sessionId);
    const refused = comesFromUs(request) ? undefined : ({ kind: "problem", problem: "origin" } as const);
    const outcome = refused
      ? ({ kind: "notice", notice: refused } as const)
      : await press({
          opened,
          method,
          form,
          ip: visitor.ip,
          headers: {
            accept: request.headers.get("accept") ?? "",
            language: request.headers.get("accept-language") ?? "",
            userAgent: request.headers.get("user-agent") ?? "",
          },
          locale: visitor.locale,
          shopPage: shopPageOf(form.get("from"), stage.frame.embedder),
        });
    const { base } = stage.frame;
    const own = (id: string) => `${base}/p/${paymentTokenOf(id)}`;
    const suffix = `?${shownAs(visitor)}`;
    // What follows may be opened by a plain link, which brings nothing of the form along.
    const isFollowed = outcome.kind === "payment" || outcome.notice.kind === "declined";
    const sealed = attempt && isFollowed && sealTyped(sessionId, attempt, keptValues(form));
    const keeps = sealed ? { ...visitor, cookies: [...visitor.cookies, typedCookie(sealed, base, visitor)] } : visitor;
    if (outcome.kind === "payment") {
      const next = `${own(outcome.id)}${suffix}${outcome.isByOtherCard ? "&card=other" : ""}`;
      if (!visitor.wantsJson) return seeOther(keeps, next);
      return json(keeps, 200, outcome.runs ? { watch: `${own(outcome.id)}/status${suffix}&watch=1` } : { next });
    }
    // The state may have changed under the attempt: what the page says next is read anew.
    const fresh = await openSession(sessionId, { requestId: visitor.requestId, ip: visitor.ip });
    if (!visitor.wantsJson) return linkPage(keeps, fresh ?? opened, { notice: outcome.notice, method, form });
    return json(keeps, 200, await answerText(visitor, stage.frame, fresh ?? opened, method, outcome.notice));
  });
}

/** A browser that opens its tabs again, or goes back, asks for the answer to a form by its address alone. */
export async function GET(request: Request, { params }: RouteContext): Promise<Response> {
  const { sessionId, method } = await params;
  const visitor = visitorOf(request);
  if (!isMethod(method) || !isUuid(sessionId)) return unknownLink(visitor);
  return seeOther(visitor, `${new URL(paymentLinkOf(sessionId)).pathname}?method=${method}&${shownAs(visitor)}`);
}

import { json, page, seeOther } from "@/app/(checkout)/answer";
import { type Stage, stageOf, subscriptionStage } from "@/app/(checkout)/frame";
import { closed, unknownLink } from "@/app/(checkout)/link";
import { comesFromUs, type Visitor, visitorOf } from "@/app/(checkout)/visitor";
import { errorText } from "@/components/checkout/fields";
import { alertText } from "@/components/checkout/island-data";
import { ClosedSubscription, cardPageAddress, SubscriptionPage } from "@/components/checkout/subscription-page";
import { getTranslations, under } from "@/components/checkout/words";
import { newChallenge } from "@/lib/captcha/challenge";
import { formOf, type TypedForm } from "@/lib/checkout/form";
import {
  isEnded,
  type OpenedSubscription,
  openSubscription,
  overView,
  standingOf,
  viewFor,
} from "@/lib/checkout/subscription";
import type { SubscriptionClosed, SubscriptionPageView } from "@/lib/checkout/subscription-view";
import type { PageNotice } from "@/lib/checkout/view";
import { log } from "@/lib/log";
import { subscriptionPageOf } from "@/lib/subscriptions/card-link";

export interface SubscriptionRoute {
  params: Promise<{ subscriptionId: string }>;
}

/** A request for the page of a subscription, from whoever has its link. */
export interface Asked {
  visitor: Visitor;
  opened: OpenedSubscription;
  stage: Stage;
  token: string;
  form: TypedForm;
}

const MOST_BYTES = 32_768;

/** Opens the subscription for the signed link and runs the page's work; whatever is no link is answered alike. */
export async function withSubscription(
  request: Request,
  { params }: SubscriptionRoute,
  run: (asked: Asked) => Promise<Response>,
): Promise<Response> {
  const { subscriptionId } = await params;
  const form = formOf(request.method === "POST" ? (await request.text()).slice(0, MOST_BYTES) : "");
  const visitor = { ...visitorOf(request, form), isEmbedded: false };
  try {
    const token = visitor.url.searchParams.get("t") ?? "";
    const opened = await openSubscription(subscriptionId, token, visitor);
    if (!opened) return await unknownLink(visitor);
    const base = new URL(subscriptionPageOf(opened.row.id)).pathname;
    const stage = await subscriptionStage(visitor, { ctx: opened.ctx, merchantId: opened.row.merchantId }, base);
    const asked = { visitor, opened, stage, token, form };
    if (request.method === "POST" && !comesFromUs(request)) {
      return await subscriptionPage(asked, { notice: { kind: "problem", problem: "origin" } });
    }
    return await run(asked);
  } catch (error) {
    log.error({ error, requestId: visitor.requestId }, "the page of a subscription failed");
    return closed(visitor, await stageOf(visitor, undefined, subscriptionId), "error", {
      reference: visitor.requestId,
    });
  }
}

export async function closedSubscription(
  { visitor, opened, stage, token }: Asked,
  state: SubscriptionClosed,
): Promise<Response> {
  const over = await overView(opened);
  return page(
    visitor,
    200,
    stage.policy,
    <ClosedSubscription frame={stage.frame} state={state} token={token} over={over} />,
  );
}

/** The page in whatever state the subscription is. */
export async function subscriptionPage(
  asked: Asked,
  shown: { notice?: PageNotice; done?: SubscriptionPageView["done"] } = {},
): Promise<Response> {
  const { visitor, opened, stage, token, form } = asked;
  if (isEnded(opened)) return closedSubscription(asked, opened.row.status === "canceled" ? "canceled" : "ended");
  if (opened.link === "expired") return closedSubscription(asked, "expired");
  const { notice = null, done = null } = shown;
  const view = await viewFor(opened, await standingOf(opened, visitor), {
    notice,
    done,
    token,
    ...(notice ? { form } : {}),
  });
  return page(visitor, 200, stage.policy, <SubscriptionPage frame={stage.frame} view={view} />);
}

/** Where a form leads when it has done its work. */
export function toPage({ visitor, stage, token }: Asked, more: Record<string, string> = {}): Response {
  const to = `${cardPageAddress(stage.frame, token)}&${new URLSearchParams({ ...more, lang: visitor.locale })}`;
  return visitor.wantsJson ? json(visitor, 200, { next: to }) : seeOther(visitor, to);
}

/** A refusal for the script on the page: words, fields, and the challenge that the next press must solve. */
export async function refusalJson({ visitor, opened, stage, token }: Asked, notice: PageNotice): Promise<Response> {
  const { frame } = stage;
  const t = getTranslations("checkout", frame.locale);
  const { captcha } = await standingOf(opened, visitor);
  const next =
    captcha === "none"
      ? { captcha: false }
      : { captcha: true, challenge: newChallenge({ sessionId: opened.row.id, level: captcha }) };
  switch (notice.kind) {
    case "declined":
      return json(visitor, 200, { ...next, alert: alertText(frame, notice, () => cardPageAddress(frame, token)) });
    case "fields":
      return json(visitor, 200, {
        ...next,
        heading: t("error.summary", { count: notice.fields.length }),
        fields: notice.fields.map((problem) => ({ name: problem.field, message: errorText(t, problem, "") })),
      });
    default:
      return json(visitor, 200, {
        ...next,
        message: t(under("problem", notice.kind === "problem" ? notice.problem : "ours")),
      });
  }
}

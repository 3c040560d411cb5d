import { velocityOf } from "@/app/(checkout)/velocity";
import type { Visitor } from "@/app/(checkout)/visitor";
import { errorText, inputName } from "@/components/checkout/fields";
import { money } from "@/components/checkout/formats";
import { alertText } from "@/components/checkout/island-data";
import { actionHref, duplicateText } from "@/components/checkout/notice";
import { getTranslations } from "@/components/checkout/words";
import { newChallenge } from "@/lib/captcha/challenge";
import { attemptKeyFor, paymentOf, visitHistory } from "@/lib/checkout/checkout-attempts";
import { paymentTokenOf } from "@/lib/checkout/payment-token";
import { type Frame, type MethodKind, type PageNotice, shownAs } from "@/lib/checkout/view";
import { signAttempt } from "@/lib/checkout/visit";
import { inTransaction } from "@/lib/context";
import type { OpenedSession } from "@/lib/sessions/open";

const LEAST_CARD_CENTS = 100;

/** A refusal for the script on the page: words, fields and the key of the next attempt. */
export async function answerText(
  visitor: Visitor,
  frame: Frame,
  opened: OpenedSession,
  method: MethodKind,
  notice: PageNotice,
): Promise<object> {
  const { ctx, session } = opened;
  const { locale, currency, base } = frame;
  const t = getTranslations("checkout", locale);
  const history = await inTransaction(ctx, (inside) => visitHistory(inside, session.id, visitor.visit));
  const standing = await velocityOf(visitor, opened);
  const told = history.refused && paymentTokenOf(paymentOf(history.refused));
  const next = {
    attempt: signAttempt(session.id, attemptKeyFor(session.id, visitor.visit, method, history.ended)),
    captcha: standing.captcha !== "none",
    // Solved at once: on a slow line asking for it would take longer than solving it.
    ...(standing.captcha === "none" || frame.captchaFrame
      ? {}
      : { challenge: newChallenge({ sessionId: session.id, level: standing.captcha }) }),
  };
  switch (notice.kind) {
    case "problem":
      return { ...next, message: t(`problem.${notice.problem}`) };
    case "duplicate":
      return {
        ...next,
        again: t("button.payAgain"),
        message: duplicateText(t, locale, currency, notice),
        ...(notice.receipt
          ? {
              receipt: {
                href: `${base}/p/${paymentTokenOf(notice.receipt)}?${shownAs(frame)}`,
                label: t("button.receipt"),
              },
            }
          : {}),
      };
    case "fields": {
      const shown = (cents: number) => money(locale, cents, currency);
      const { sum } = notice;
      const total = session.amount;
      if (notice.fields.length === 0 && sum !== undefined) {
        const message =
          sum < total
            ? t("error.amountsShort", { sum: shown(sum), missing: shown(total - sum), total: shown(total) })
            : t("error.amountsOver", { sum: shown(sum), over: shown(sum - total), total: shown(total) });
        return { ...next, message };
      }
      return {
        ...next,
        heading: t("error.summary", { count: notice.fields.length }),
        fields: notice.fields.map((problem) => ({
          name: inputName(problem.field, problem.card),
          message: errorText(t, problem, shown(LEAST_CARD_CENTS)),
        })),
      };
    }
    case "declined":
      // Nothing is left to do on this page: the link's own says it, and takes a request for another one.
      if (notice.refusal === "link_taken") return { ...next, next: `${base}?${shownAs(frame)}&taken=1` };
      return {
        ...next,
        alert: alertText(frame, { ...notice, isTrial: Boolean(session.subscription?.trial) }, (action) =>
          actionHref(frame, action, { told }),
        ),
      };
  }
}

import { stageOf } from "@/app/(checkout)/frame";
import type { OpenedPayment } from "@/app/(checkout)/payment";
import { answerText } from "@/app/(checkout)/texts";
import type { Visitor } from "@/app/(checkout)/visitor";
import { slotTexts, viewSignature } from "@/components/checkout/island-data";
import { getTranslations } from "@/components/checkout/words";
import { type PaymentView, shownAs } from "@/lib/checkout/view";

/** What a page that follows a payment is told. */
export function statusOf(visitor: Pick<Visitor, "locale">, view: PaymentView) {
  const t = getTranslations("checkout", visitor.locale);
  return {
    signature: viewSignature(view),
    state: view.state,
    ...(view.method === "cards"
      ? {
          slots: slotTexts(t, view),
          heading: t("pay.running.heading", { count: view.cards.length }),
          body: t("pay.running.body"),
        }
      : {}),
  };
}

/** For the form that waits for its cards: with the answer once there is one, its fields still as they were typed. */
export async function watchedStatus(visitor: Visitor, { view, ...opened }: OpenedPayment): Promise<object> {
  const status = statusOf(visitor, view);
  if (view.state === "running") return status;
  const { frame } = await stageOf(visitor, opened, opened.session.id);
  if (view.state !== "released" || view.refusal === null || !view.canPayAgain) {
    return { ...status, answer: { next: `${frame.base}/p/${view.token}?${shownAs(visitor)}` } };
  }
  const { refusal, declinedCard, actions } = view;
  return {
    ...status,
    answer: await answerText(visitor, frame, opened, "cards", {
      kind: "declined",
      refusal,
      actions,
      ...(declinedCard === null ? {} : { card: declinedCard }),
    }),
  };
}

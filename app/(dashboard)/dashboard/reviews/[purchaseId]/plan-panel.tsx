import { CircleAlert } from "lucide-react";
import Link from "next/link";
import { getLocale, getTranslations } from "next-intl/server";
import { resolveAction } from "@/app/(dashboard)/dashboard/reviews/[purchaseId]/actions";
import { saidIn } from "@/app/(dashboard)/dashboard/reviews/[purchaseId]/statements";
import { reviewWords } from "@/app/(dashboard)/dashboard/reviews/words";
import { taskTexts } from "@/app/(dashboard)/task-texts";
import { TaskForm } from "@/components/tasks/task-form";
import { Card, CardHeader } from "@/components/ui/card";
import { formatCents } from "@/components/ui/money-format";
import type { Context } from "@/lib/context";
import { DomainError, RequestError } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { REVIEW_ALONE_UP_TO, secondPersonAbove } from "@/lib/operators/second-person";
import type { FollowUp } from "@/lib/purchases/review/choices";
import type { Statement } from "@/lib/purchases/review/evidence";
import { proposalsOf } from "@/lib/purchases/review/proposals";
import type { Review } from "@/lib/purchases/review/read";
import { type Plan, planResolution, secondPersonNeeded } from "@/lib/purchases/review/service";

interface PlanPanelProps {
  ctx: Context;
  path: string;
  statements: Statement[];
  followUp: FollowUp | undefined;
  review: Review;
}

/** Exactly what would be done, by the code that does it. */
export async function PlanPanel({ ctx, path, statements, followUp, review }: PlanPanelProps) {
  const t = await getTranslations("reviews");
  const [words, locale] = await Promise.all([reviewWords(), getLocale()]);
  const purchaseId = review.purchase.row.id;
  const plan = await planned(ctx, { purchaseId, slots: statements, followUp });
  if (!("plan" in plan)) {
    return (
      <Card role="alert" className="mt-6 flex items-start gap-2.5 px-5 py-4 text-danger text-sm">
        <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
        {t("planRefused", { details: plan.refused })}
      </Card>
    );
  }
  const money = (cents: number) => formatCents(cents, review.purchase.row.currency, locale);
  const { merchantId } = review.purchase.row;
  const above = await secondPersonAbove(ctx, "reviews.resolve", REVIEW_ALONE_UP_TO, merchantId);
  const needsTwo = secondPersonNeeded(plan, above);
  const said = saidIn(statements);
  const same = needsTwo ? (await proposalsOf(ctx, purchaseId)).filter((each) => each.plan === plan.plan) : [];
  const mayConfirm = !needsTwo || same.some(({ isOwn }) => !isOwn);
  const address = (follow: FollowUp) => `${path}?${new URLSearchParams({ ...said, plan: "yes", followUp: follow })}`;
  const hidden = { id: purchaseId, key: newId(), plan: plan.plan, followUp: plan.followUp, ...said };
  return (
    <Card className="mt-6 overflow-hidden">
      <CardHeader title={t("planTitle")} description={t("planText", { status: words.purchase(plan.status) })} />
      <ul className="grid gap-1.5 px-5 pt-4 text-ink text-sm">
        {plan.slots.map((slot) => (
          <li key={slot.slotIndex}>
            {t("planSlot", {
              number: slot.slotIndex + 1,
              amount: money(slot.amount),
              from: words.slot(slot.from),
              to: words.slot(slot.to),
            })}
          </li>
        ))}
        <li className="font-medium">
          {plan.operation
            ? t("planOperation", {
                operation: words.operation(plan.operation.type),
                count: plan.operation.calls.length,
              })
            : t("planNothing")}
        </li>
      </ul>
      {plan.choices.length > 1 ? (
        <nav aria-label={t("followLabel")} className="flex flex-wrap gap-2 px-5 pt-4">
          {plan.choices.map((choice) => (
            <Link
              key={choice}
              href={address(choice)}
              scroll={false}
              aria-current={choice === plan.followUp ? "true" : undefined}
              className={
                choice === plan.followUp
                  ? "rounded-md bg-accent-soft px-3 py-1.5 font-medium text-accent-ink text-sm"
                  : "rounded-md border border-line-strong px-3 py-1.5 text-ink-2 text-sm hover:text-ink"
              }
            >
              {words.follow(choice)}
            </Link>
          ))}
        </nav>
      ) : null}
      {needsTwo ? (
        <p className="px-5 pt-4 text-ink-2 text-sm">
          {mayConfirm
            ? t("twoPeopleNow")
            : same.length > 0
              ? t("twoPeopleWaits")
              : t("twoPeople", { limit: money(REVIEW_ALONE_UP_TO) })}
        </p>
      ) : null}
      {mayConfirm ? (
        <TaskForm
          hidden={hidden}
          isDangerous
          onAct={resolveAction}
          closeHref={path}
          texts={await taskTexts(needsTwo ? t("confirmSecond") : t("confirm", { amount: money(plan.amountAtStake) }))}
        />
      ) : same.length > 0 ? (
        <div className="pb-5" />
      ) : (
        <TaskForm
          hidden={{ ...hidden, propose: "yes" }}
          onAct={resolveAction}
          closeHref={path}
          texts={await taskTexts(t("propose"))}
        />
      )}
    </Card>
  );
}

type Asked = Parameters<typeof planResolution>[1];

async function planned(ctx: Context, asked: Asked): Promise<Plan | { refused: string }> {
  try {
    return await planResolution(ctx, asked);
  } catch (thrown) {
    if (thrown instanceof DomainError || thrown instanceof RequestError)
      return { refused: thrown.details.join("; ") || thrown.message };
    throw thrown;
  }
}

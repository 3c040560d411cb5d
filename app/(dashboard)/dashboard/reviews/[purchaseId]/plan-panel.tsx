import { CircleAlert } from "lucide-react";
import Link from "next/link";
import { getLocale, getTranslations } from "next-intl/server";
import { resolveAction } from "@/app/(dashboard)/dashboard/reviews/[purchaseId]/actions";
import { type Consequence, outcomeWords } from "@/app/(dashboard)/dashboard/reviews/[purchaseId]/outcomes";
import { saidIn } from "@/app/(dashboard)/dashboard/reviews/[purchaseId]/statements";
import { taskTexts } from "@/app/(dashboard)/task-texts";
import { TaskForm } from "@/components/tasks/task-form";
import { Card, CardHeader } from "@/components/ui/card";
import { classes } from "@/components/ui/classes";
import { formatCents } from "@/components/ui/money-format";
import type { Context } from "@/lib/context";
import { DomainError, RequestError } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { secondPersonAbove } from "@/lib/operators/second-person";
import type { FollowUp } from "@/lib/purchases/review/choices";
import type { StatementEvidence } from "@/lib/purchases/review/evidence";
import { resolutionProposalsOf } from "@/lib/purchases/review/proposals";
import type { Review } from "@/lib/purchases/review/read";
import { planResolution, type ResolutionPlan, secondPersonNeeded } from "@/lib/purchases/review/service";

interface PlanPanelProps {
  ctx: Context;
  path: string;
  statements: StatementEvidence[];
  followUp: FollowUp | undefined;
  review: Review;
}

/** What the sale can become, each way with everything that follows, by the code that does it. */
export async function PlanPanel({ ctx, path, statements, followUp, review }: PlanPanelProps) {
  const [t, locale] = await Promise.all([getTranslations("reviews"), getLocale()]);
  const { id: purchaseId, currency, merchantId } = review.purchase.row;
  const missing = missingIn(review, statements);
  const plan = missing.length > 0 ? { refused: "" } : await planned(ctx, { purchaseId, slots: statements, followUp });
  if (!("plan" in plan)) {
    return (
      <Card role="alert" className="mt-6 grid gap-1 px-5 py-4 text-danger text-sm">
        {(missing.length > 0
          ? missing.map(({ slotIndex, what }) => t(what, { number: slotIndex + 1 }))
          : [t("planRefused", { details: plan.refused })]
        ).map((text) => (
          <p key={text} className="flex items-start gap-2.5">
            <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
            {text}
          </p>
        ))}
      </Card>
    );
  }
  const money = (cents: number) => formatCents(cents, currency, locale);
  const say = await outcomeWords(money);
  const others = plan.choices.filter((choice) => choice !== plan.followUp);
  const ways = [plan, ...(await Promise.all(others.map((choice) => other(choice))))].flatMap((each) => each ?? []);
  const isOnly = ways.length === 1;
  const above = await secondPersonAbove(ctx, "reviews.resolve", "reviews", merchantId);
  const needsTwo = secondPersonNeeded(plan, above);
  const said = saidIn(statements);
  const same = needsTwo ? (await resolutionProposalsOf(ctx, purchaseId)).filter((each) => each.plan === plan.plan) : [];
  const mayConfirm = !needsTwo || same.some(({ isOwn }) => !isOwn);
  const address = (follow: FollowUp) => `${path}?${new URLSearchParams({ ...said, plan: "yes", followUp: follow })}`;
  const hidden = { id: purchaseId, key: newId(), plan: plan.plan, followUp: plan.followUp, ...said };
  const isHarmless = plan.followUp === "leave";
  return (
    <Card className="mt-6 overflow-hidden">
      <CardHeader
        title={t(isOnly ? "planOnlyTitle" : "planTitle")}
        description={t(isOnly ? "planOnlyText" : "planText")}
      />
      <ul className="grid gap-3 px-5 pt-4 lg:grid-cols-[repeat(auto-fit,minmax(18rem,1fr))]">
        {ways
          .toSorted((one, two) => plan.choices.indexOf(one.followUp) - plan.choices.indexOf(two.followUp))
          .map((way) => {
            const isChosen = way.followUp === plan.followUp;
            return (
              <li
                key={way.followUp}
                className={classes(
                  "relative rounded-lg border p-4 text-sm",
                  isChosen ? "border-accent bg-accent-soft/40" : "border-line-strong hover:bg-sunken",
                )}
              >
                <Link
                  href={address(way.followUp)}
                  scroll={false}
                  aria-current={isChosen ? "true" : undefined}
                  className="font-semibold text-ink after:absolute after:inset-0 after:rounded-lg"
                >
                  {say.name(way)}
                </Link>
                <p className="mt-1 text-ink">{say.end(way)}</p>
                <Consequences
                  consequences={say.consequences(way)}
                  name={({ slotIndex, amount }) => t("card", { number: slotIndex + 1, amount: money(amount) })}
                />
              </li>
            );
          })}
      </ul>
      {needsTwo ? (
        <p className="px-5 pt-4 text-ink-2 text-sm">
          {mayConfirm
            ? t("twoPeopleNow")
            : same.length > 0
              ? t("twoPeopleWaits")
              : t("twoPeople", { limit: money(above ?? 0) })}
        </p>
      ) : null}
      {mayConfirm ? (
        <TaskForm
          hidden={hidden}
          isDangerous={!isHarmless}
          onAct={resolveAction}
          closeHref={path}
          texts={await taskTexts(say.button(plan))}
        />
      ) : same.length > 0 ? (
        <div className="pb-5" />
      ) : (
        <TaskForm
          hidden={{ ...hidden, propose: "yes" }}
          onAct={resolveAction}
          closeHref={path}
          texts={await taskTexts(say.propose(plan))}
        />
      )}
    </Card>
  );

  async function other(choice: FollowUp): Promise<ResolutionPlan | undefined> {
    const way = await planned(ctx, { purchaseId, slots: statements, followUp: choice });
    return "plan" in way ? way : undefined;
  }
}

interface ConsequencesProps {
  consequences: readonly Consequence[];
  name: (of: Consequence) => string;
}

function Consequences({ consequences, name }: ConsequencesProps) {
  return (
    <dl className="mt-3 grid gap-2">
      {consequences.map((each) => (
        <div key={each.slotIndex}>
          <dt className="text-ink-3 text-xs tabular-nums">{name(each)}</dt>
          {each.lines.map((line) => (
            <dd key={line} className="text-ink-2 tabular-nums">
              {line}
            </dd>
          ))}
        </div>
      ))}
    </dl>
  );
}

interface Missing {
  slotIndex: number;
  what: "missingTruth" | "missingId";
}

/** What the person has not said yet; the service would refuse it too. */
function missingIn(review: Review, statements: readonly StatementEvidence[]): Missing[] {
  return review.slots.flatMap(({ slotIndex, status, isToBeStated }): Missing[] => {
    const said = statements.find((statement) => statement.slotIndex === slotIndex);
    if (!said) return isToBeStated ? [{ slotIndex, what: "missingTruth" }] : [];
    const needsId = said.truth !== "absent" && status === "undetermined" && !said.providerTransactionId?.trim();
    return needsId ? [{ slotIndex, what: "missingId" }] : [];
  });
}

type Asked = Parameters<typeof planResolution>[1];

async function planned(ctx: Context, asked: Asked): Promise<ResolutionPlan | { refused: string }> {
  try {
    return await planResolution(ctx, asked);
  } catch (thrown) {
    if (thrown instanceof DomainError || thrown instanceof RequestError)
      return { refused: thrown.details.join("; ") || thrown.message };
    throw thrown;
  }
}

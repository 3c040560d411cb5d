import { Hand, UsersRound } from "lucide-react";
import type { Metadata } from "next";
import Link from "next/link";
import { redirect } from "next/navigation";
import { getFormatter, getLocale, getTranslations } from "next-intl/server";
import { cache } from "react";
import { withdrawResolutionAction } from "@/app/(dashboard)/dashboard/reviews/[purchaseId]/actions";
import { FactsInDispute } from "@/app/(dashboard)/dashboard/reviews/[purchaseId]/facts-in-dispute";
import { PlanPanel } from "@/app/(dashboard)/dashboard/reviews/[purchaseId]/plan-panel";
import { readFollowUp, readStatements, saidIn } from "@/app/(dashboard)/dashboard/reviews/[purchaseId]/statements";
import { TakeButton } from "@/app/(dashboard)/dashboard/reviews/take";
import { reviewWords } from "@/app/(dashboard)/dashboard/reviews/words";
import { type GivenParameters, oneOf } from "@/app/(dashboard)/list-url";
import { orNotFound, requireRight } from "@/app/(dashboard)/operator-context";
import { BackLink } from "@/components/dashboard/back-link";
import { type Fact, Facts } from "@/components/dashboard/facts";
import { LiveRefresh } from "@/components/dashboard/live-refresh";
import { PageHead } from "@/components/dashboard/page-head";
import { TaskButton } from "@/components/tasks/task-button";
import { TaskInput } from "@/components/tasks/task-input";
import { Button } from "@/components/ui/button";
import { Card, CardHeader } from "@/components/ui/card";
import { classes } from "@/components/ui/classes";
import { LinkButton } from "@/components/ui/link-button";
import { formatCents } from "@/components/ui/money-format";
import { systemDb } from "@/db/client";
import type { Context } from "@/lib/context";
import { DomainError, notFound } from "@/lib/errors";
import { isUuid } from "@/lib/ids";
import { takesOf } from "@/lib/insights/takes";
import { namesOf } from "@/lib/operators/names";
import { may } from "@/lib/operators/permissions";
import { purchaseOverview, type SlotLane } from "@/lib/purchases/overview";
import { resolutionProposalsOf } from "@/lib/purchases/review/proposals";
import { type Review, readReview, type SlotEvidence } from "@/lib/purchases/review/read";

const LIST = "/dashboard/reviews";

interface ReviewPageProps {
  params: Promise<{ purchaseId: string }>;
  searchParams: Promise<GivenParameters>;
}

const read = cache(async (id: string) => {
  const member = await requireRight(`${LIST}/${id}`, "payments.see");
  const review = await orNotFound(
    isUuid(id) ? readReview(member.ctx, id).catch(gone) : Promise.reject(notFound("purchase")),
  );
  return { ...member, review };
});

export async function generateMetadata({ params }: ReviewPageProps): Promise<Metadata> {
  const [{ purchaseId }, t, locale] = await Promise.all([params, getTranslations("reviews"), getLocale()]);
  const { review } = await read(purchaseId);
  return {
    title: review
      ? t("purchaseOf", { amount: formatCents(review.amountAtStake, review.purchase.row.currency, locale) })
      : t("title"),
  };
}

/** The evidence of each card; what a person says of it is the address; the plan of it is confirmed below. */
export default async function ReviewPage({ params, searchParams }: ReviewPageProps) {
  const [{ purchaseId }, given] = await Promise.all([params, searchParams]);
  const path = `${LIST}/${purchaseId}`;
  const { ctx, role, review } = await read(purchaseId);
  if (!review) redirect(LIST);
  const [t, words, format, locale] = await Promise.all([
    getTranslations("reviews"),
    reviewWords(),
    getFormatter(),
    getLocale(),
  ]);
  const money = (cents: number) => formatCents(cents, review.purchase.row.currency, locale);
  const date = (at: Date) => format.dateTime(at, { dateStyle: "medium", timeStyle: "medium" });
  const cardName = ({ slotIndex, status }: SlotEvidence): string => {
    const card = review.purchase.payments[slotIndex]?.card;
    return card ? t("cardName", { brand: card.brand, lastFour: card.last4digits }) : words.slot(status);
  };
  const mayResolve = may(role, "reviews.resolve");
  const textOf = (name: string) => oneOf(given, name) ?? "";
  const isAsked = textOf("plan") === "yes";
  const proposal = await proposed(ctx, path, review);
  const { buyer, lanes } = await purchaseOverview(ctx, role, purchaseId);
  const take = (await takesOf(ctx, [purchaseId])).get(purchaseId);
  return (
    <>
      <BackLink href={LIST} text={t("title")} />
      <PageHead
        title={t("purchaseOf", { amount: money(review.amountAtStake) })}
        description={t("sentence", { reason: words.reason(review.reason), when: date(review.since) })}
      />
      <FactsInDispute review={review} />
      <Card className="mb-6 overflow-hidden">
        <div className="[&_dl]:grid [&_dl]:gap-x-8 sm:[&_dl]:grid-cols-2 lg:[&_dl]:grid-cols-4">
          <Facts
            facts={[
              ...fact(t("factOrder"), review.purchase.row.orderId),
              ...fact(t("factBuyer"), buyer?.name || buyer?.email || nameOnCards(lanes)),
              {
                name: t("factCreated"),
                value: format.dateTime(review.purchase.row.createdAt, { dateStyle: "medium", timeStyle: "short" }),
              },
              {
                name: t("factPayment"),
                value: (
                  <Link
                    href={`/dashboard/payments/${purchaseId}`}
                    className="rounded-sm text-accent-ink underline underline-offset-4"
                  >
                    {t("openPayment")}
                  </Link>
                ),
              },
            ]}
          />
        </div>
      </Card>
      {mayResolve || take ? (
        <div
          className={classes(
            "mb-6 flex flex-wrap items-center gap-3 rounded-lg px-4 py-3 text-sm",
            take && !take.isOwn ? "bg-warning-soft text-warning" : "bg-sunken text-ink-2",
          )}
        >
          <Hand aria-hidden className="size-4 shrink-0" />
          <span className="min-w-0 flex-1">
            {take
              ? take.isOwn
                ? t("takenOwn", { when: date(take.at) })
                : t("takenOther", { who: take.name ?? t("proposalSomebody"), when: date(take.at) })
              : t("takenNone")}
          </span>
          {mayResolve ? <TakeButton id={purchaseId} kind="purchase" take={take} isOnPage /> : null}
        </div>
      ) : null}
      {mayResolve && proposal && !isAsked ? (
        <div className="mb-6 flex flex-wrap items-center gap-3 rounded-lg bg-warning-soft px-4 py-3 text-sm text-warning">
          <UsersRound aria-hidden className="size-4 shrink-0" />
          <span className="min-w-0 flex-1">
            {proposal.isOwn
              ? t("proposalOwn")
              : t("proposalOther", { who: proposal.by ?? t("proposalSomebody"), when: date(proposal.at) })}
          </span>
          <LinkButton href={proposal.href} scroll={false} size="sm">
            {t("proposalSee")}
          </LinkButton>
          {proposal.isOwn ? (
            <TaskButton
              text={t("withdraw")}
              hidden={{ id: purchaseId }}
              onAct={withdrawResolutionAction}
              size="sm"
              tone="quiet"
            />
          ) : null}
        </div>
      ) : null}
      <form action={path} data-work className="grid gap-6">
        <div className="grid gap-6 lg:grid-cols-[repeat(auto-fit,minmax(18rem,1fr))]">
          {review.slots.map((slot) => (
            <Card key={slot.slotIndex} className="overflow-hidden">
              <CardHeader
                title={t("card", { number: slot.slotIndex + 1, amount: money(slot.amount) })}
                description={cardName(slot)}
                actions={
                  slot.chargeId ? (
                    <LinkButton href={`/dashboard/payments/${slot.chargeId}`} size="sm">
                      {t("openPayment")}
                    </LinkButton>
                  ) : null
                }
              />
              <Facts
                facts={[
                  { name: t("slotState"), value: words.slot(slot.status) },
                  ...fact(t("provider"), slot.provider?.name),
                  ...fact(t("transaction"), slot.providerTransactionId),
                  ...fact(t("lastAnswer"), slot.lastAnswer && words.answer(slot.lastAnswer)),
                  { name: t("asked"), value: t("askedTimes", { count: slot.queries }) },
                  ...fact(t("nextQuery"), slot.nextQueryAt ? date(slot.nextQueryAt) : null),
                ]}
              />
              {mayResolve && slot.truths.length > 0 ? (
                <div className="group/card grid gap-4 border-line border-t px-5 py-4">
                  <TaskInput
                    given={textOf(`truth.${slot.slotIndex}`)}
                    problem={undefined}
                    field={{
                      name: `truth.${slot.slotIndex}`,
                      label: t("whatIsTrue"),
                      kind: "choice",
                      options: [
                        { value: "", label: slot.isToBeStated ? t("choose") : t("asKnown") },
                        ...slot.truths.map((truth) => ({ value: truth, label: words.truth(truth) })),
                      ],
                    }}
                  />
                  <div className="group-has-[option[value=absent]:checked]/card:hidden">
                    <TaskInput
                      given={textOf(`transaction.${slot.slotIndex}`) || undefined}
                      problem={undefined}
                      field={{
                        name: `transaction.${slot.slotIndex}`,
                        label: t("providersId"),
                        hint: t("providersIdHint"),
                        initial: slot.providerTransactionId ?? "",
                      }}
                    />
                  </div>
                </div>
              ) : null}
            </Card>
          ))}
        </div>
        {mayResolve ? (
          <div className="flex justify-end">
            <Button type="submit" name="plan" value="yes" tone={isAsked ? "secondary" : "primary"}>
              {t("showPlan")}
            </Button>
          </div>
        ) : (
          <p className="text-ink-2 text-sm">{t("notYours")}</p>
        )}
      </form>
      <LiveRefresh />
      {mayResolve && isAsked ? (
        <PlanPanel
          ctx={ctx}
          path={path}
          statements={readStatements(review, textOf)}
          followUp={readFollowUp(textOf("followUp"))}
          review={review}
        />
      ) : null}
    </>
  );
}

/** What somebody proposed for this very review, and where its plan is seen. */
async function proposed(ctx: Context, path: string, review: Review) {
  const [newest] = await resolutionProposalsOf(ctx, review.purchase.row.id);
  if (!newest || newest.at < review.since) return undefined;
  const { slots, followUp, operatorId, isOwn, at } = newest;
  const names = await namesOf(systemDb(), ctx.account.id, [operatorId]);
  const href = `${path}?${new URLSearchParams({ ...saidIn(slots), followUp, plan: "yes" })}`;
  return { by: names.get(operatorId), isOwn, at, href };
}

/** Buyers of links need not give a name of their own: the cards' stands for it. */
const nameOnCards = (lanes: readonly SlotLane[]): string | undefined => {
  const named = lanes.flatMap(
    ({ payment }) => payment?.holder?.name ?? payment?.card?.holder ?? payment?.payer?.email ?? [],
  );
  return [...new Set(named)].join(", ") || undefined;
};

const fact = (name: string, value: string | null | undefined): Fact[] =>
  value ? [{ name, value: <span className="break-all">{value}</span> }] : [];

/** Resolved meanwhile, by somebody else or by an answer that came after all. */
function gone(thrown: unknown): undefined {
  if (thrown instanceof DomainError && thrown.businessCode === "purchase_invalid_state") return undefined;
  if (thrown instanceof DomainError && thrown.businessCode === "purchase_not_found") throw notFound("purchase");
  throw thrown;
}

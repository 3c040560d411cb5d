import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { getLocale, getTranslations } from "next-intl/server";
import { cache } from "react";
import { typedPercentage } from "@/app/(dashboard)/dashboard/split-form";
import {
  checkSubscriptionAction,
  editSubscriptionAction,
} from "@/app/(dashboard)/dashboard/subscriptions/form-actions";
import { editFields, splitTexts } from "@/app/(dashboard)/dashboard/subscriptions/form-fields";
import { LIST, subscriptionSubject } from "@/app/(dashboard)/dashboard/subscriptions/words";
import { orNotFound, requireRight } from "@/app/(dashboard)/operator-context";
import { tabTitle } from "@/app/(dashboard)/tab-title";
import { taskTexts } from "@/app/(dashboard)/task-texts";
import { BackLink } from "@/components/dashboard/back-link";
import { PageHead } from "@/components/dashboard/page-head";
import { SplitEditor } from "@/components/links/split-editor";
import { TaskForm } from "@/components/tasks/task-form";
import { Card } from "@/components/ui/card";
import { merchantsToChoose } from "@/lib/charges/to-choose";
import { customerOverview } from "@/lib/customers/operator-queries";
import { sellersToShare } from "@/lib/sellers/operator-queries";
import { isOver } from "@/lib/subscriptions/machine";
import { overviewOf } from "@/lib/subscriptions/operator-queries";
import type { SubscriptionRow } from "@/lib/subscriptions/queries";

interface EditSubscriptionPageProps {
  params: Promise<{ id: string }>;
}

const read = cache(async (id: string) => {
  const member = await requireRight(`${LIST}/${id}/edit`, "subscriptions.edit");
  return { ...member, overview: await orNotFound(overviewOf(member.ctx, member.role, id)) };
});

export async function generateMetadata({ params }: EditSubscriptionPageProps): Promise<Metadata> {
  const [{ overview }, t] = await Promise.all([read((await params).id), getTranslations("subscriptions")]);
  return tabTitle(subscriptionSubject(overview), t("editTitle"));
}

export default async function EditSubscriptionPage({ params }: EditSubscriptionPageProps) {
  const { id } = await params;
  const path = `${LIST}/${id}`;
  const { ctx, role, overview } = await read(id);
  const { row } = overview;
  if (isOver(row.status)) redirect(path);
  const { cards } = await orNotFound(customerOverview(ctx, role, row.customerId));
  const [t, locale, merchants, sellers] = await Promise.all([
    getTranslations("subscriptions"),
    getLocale(),
    merchantsToChoose(ctx, role),
    sellersToShare(ctx, role),
  ]);
  const shares = sharesOf(row, locale, sellers);
  return (
    <>
      <BackLink href={path} text={row.name} />
      <PageHead title={t("editTitle")} description={t(overview.mandate ? "editTextMandate" : "editText")} />
      <Card className="max-w-3xl">
        <TaskForm
          isWide
          onAct={editSubscriptionAction}
          onCheck={checkSubscriptionAction}
          closeHref={path}
          texts={await taskTexts(t("newReview"))}
          hidden={{ id }}
          fields={await editFields(overview, cards, merchants)}
          after={
            shares === undefined ? (
              <p className="text-ink-2 text-sm">{t("formSplitKept")}</p>
            ) : sellers.length > 0 ? (
              <SplitEditor sellers={sellers} locale={locale} texts={await splitTexts()} initial={shares} />
            ) : null
          }
        />
      </Card>
    </>
  );
}

/** Undefined where its split says more than this form can, or is with somebody whom it does not offer. */
function sharesOf({ splitRules }: SubscriptionRow, locale: string, sellers: readonly { id: string }[]) {
  const isPlain = splitRules.every(
    (rule) =>
      (sellers.length === 0 || sellers.some(({ id }) => id === rule.sellerId)) &&
      typeof rule.percentage === "number" &&
      Object.keys(rule).every((name) => name === "sellerId" || name === "percentage"),
  );
  if (!isPlain) return undefined;
  return splitRules.map(({ sellerId, percentage }) => ({
    seller: String(sellerId),
    percentage: typedPercentage(Number(percentage), locale),
  }));
}

import type { Metadata } from "next";
import { getLocale, getTranslations } from "next-intl/server";
import { createLinkAction } from "@/app/(dashboard)/dashboard/links/actions";
import {
  isExample,
  type LinkStart,
  linkFields,
  NOTHING_YET,
  startFor,
  startLike,
  startOf,
} from "@/app/(dashboard)/dashboard/links/fields";
import { previewChoices, previewTexts } from "@/app/(dashboard)/dashboard/preview/words";
import { splitWords } from "@/app/(dashboard)/dashboard/split-form";
import { type GivenParameters, oneOf, withParameters } from "@/app/(dashboard)/list-url";
import { type OnAccount, orNotFound, requireRight } from "@/app/(dashboard)/operator-context";
import { taskTexts } from "@/app/(dashboard)/task-texts";
import { BackLink } from "@/components/dashboard/back-link";
import { PageHead } from "@/components/dashboard/page-head";
import { LinkEditor } from "@/components/links/link-editor";
import { SplitEditor } from "@/components/links/split-editor";
import { TaskForm } from "@/components/tasks/task-form";
import { Card } from "@/components/ui/card";
import { merchantsToChoose } from "@/lib/charges/to-choose";
import { inSnapshot, now } from "@/lib/context";
import { notFound } from "@/lib/errors";
import { isUuid } from "@/lib/ids";
import { soldBy } from "@/lib/purchases/sold-by";
import { sellersToShare } from "@/lib/sellers/operator-queries";
import { getSession } from "@/lib/sessions/queries";

const LIST = "/dashboard/links";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("links");
  return { title: t("newTitle") };
}

export default async function NewLinkPage({ searchParams }: { searchParams: Promise<GivenParameters> }) {
  const given = await searchParams;
  const sender = await requireRight(withParameters(`${LIST}/new`, given, {}), "links.edit");
  const { ctx, role } = sender;
  const t = await getTranslations("links");
  const [locale, merchants] = await Promise.all([getLocale(), merchantsToChoose(ctx, role)]);
  const like = oneOf(given, "like");
  const of = like === undefined ? oneOf(given, "for") : undefined;
  const start = await startFrom(sender, like, oneOf(given, "example"), of);
  // A duplicate keeps the split of its original.
  const sellers = like ? [] : await sellersToShare(ctx, role);
  const only = merchants.length === 1 ? merchants[0]?.id : undefined;
  const merchant = only ?? (start.merchantId || merchants[0]?.id || "");
  return (
    <>
      <BackLink href={LIST} text={t("title")} />
      <PageHead title={t("newTitle")} description={like ? t("likeText") : t("newText")} />
      <LinkEditor
        base={{
          merchant,
          name: start.name,
          amount: start.amount,
          methods: start.methods,
          installments: start.installments,
          interval: start.interval,
          cycles: start.cycles,
          trialDays: start.trialDays,
          orderId: start.orderId,
          dueDate: start.dueDate,
        }}
        preview={{
          texts: await previewTexts(),
          choices: await previewChoices(),
          initial: { state: "open.card", lang: locale },
        }}
      >
        <Card>
          <TaskForm
            onAct={createLinkAction}
            closeHref={LIST}
            texts={await taskTexts(t("createButton"))}
            hidden={{ ...(only ? { merchantId: only } : {}), ...(like ? { like } : {}), ...(of ? { for: of } : {}) }}
            fields={await linkFields(start, merchants)}
            after={
              sellers.length > 0 ? (
                <SplitEditor sellers={sellers} locale={locale} texts={await splitWords(t("splitHint"))} />
              ) : null
            }
          />
        </Card>
      </LinkEditor>
    </>
  );
}

async function startFrom(
  { ctx }: OnAccount,
  like: string | undefined,
  example: string | undefined,
  chargeId: string | undefined,
): Promise<LinkStart> {
  if (like !== undefined) {
    const original = isUuid(like) ? inSnapshot(ctx, (inside) => getSession(inside, like)) : notFoundSession();
    return startLike(await orNotFound(original), now(ctx));
  }
  if (chargeId !== undefined && isUuid(chargeId)) {
    return startFor(await orNotFound(inSnapshot(ctx, (inside) => soldBy(inside, chargeId))));
  }
  return isExample(example) ? startOf(example, now(ctx)) : NOTHING_YET;
}

const notFoundSession = () => Promise.reject(notFound("session"));

import type { Metadata } from "next";
import { getLocale, getTranslations } from "next-intl/server";
import { checkLinkAction, createLinkAction } from "@/app/(dashboard)/dashboard/links/actions";
import {
  isExample,
  type LinkStart,
  linkFields,
  NOTHING_YET,
  startFor,
  startLike,
  startOf,
} from "@/app/(dashboard)/dashboard/links/fields";
import { type Behind, behindPayment } from "@/app/(dashboard)/dashboard/links/recipient";
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
  const behind = of && isUuid(of) ? await behindPayment(ctx, role, of) : NOTHING_BEHIND;
  const start = await startFrom(sender, like, oneOf(given, "example"), of, behind);
  const payment = of && isUuid(of) ? `/dashboard/payments/${of}` : undefined;
  // A duplicate keeps the split of its original.
  const sellers = like ? [] : await sellersToShare(ctx, role);
  const only = merchants.length === 1 ? merchants[0]?.id : undefined;
  const merchant = only ?? start.merchantId;
  return (
    <>
      <BackLink href={payment ?? LIST} text={payment ? t("backToPayment") : t("title")} />
      <PageHead
        title={behind.buyer ? t("newTitleFor", { name: behind.buyer.name }) : t("newTitle")}
        description={t(like ? "likeText" : payment ? "insteadText" : "newText")}
      />
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
            onCheck={checkLinkAction}
            closeHref={payment ?? LIST}
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
  paymentId: string | undefined,
  behind: Behind,
): Promise<LinkStart> {
  if (like !== undefined) {
    const original = isUuid(like) ? inSnapshot(ctx, (inside) => getSession(inside, like)) : notFoundSession();
    return startLike(await orNotFound(original), now(ctx));
  }
  if (paymentId !== undefined && isUuid(paymentId)) {
    return startFor(await orNotFound(inSnapshot(ctx, (inside) => soldBy(inside, paymentId))), behind);
  }
  return isExample(example) ? startOf(example, now(ctx)) : NOTHING_YET;
}

const NOTHING_BEHIND: Behind = { buyer: undefined, link: undefined };
const notFoundSession = () => Promise.reject(notFound("session"));

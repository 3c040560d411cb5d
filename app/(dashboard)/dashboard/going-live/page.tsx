import { Store } from "lucide-react";
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { findSignedIn } from "@/app/(auth)/signed-in";
import { CheckList } from "@/app/(dashboard)/dashboard/going-live/check-list";
import { requireRight } from "@/app/(dashboard)/operator-context";
import { PageHead } from "@/components/dashboard/page-head";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";
import { countOf, goingLive } from "@/lib/going-live/checklist";

const PAGE = "/dashboard/going-live";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("goingLive");
  return { title: t("title") };
}

/** What must be true before the account takes real money, and how far it is. */
export default async function GoingLivePage() {
  const { ctx, role, account } = await requireRight(PAGE, "merchants.see");
  const [t, signedIn] = await Promise.all([getTranslations("goingLive"), findSignedIn()]);
  const others = (signedIn?.accounts ?? []).filter(({ id }) => id !== account.id);
  const list = await goingLive(ctx, role, others);
  const [done, todo] = [countOf(list, "done"), countOf(list, "todo")];
  const reader = { role, mode: account.mode };
  return (
    <>
      <PageHead title={t("title")} description={t("description")} />
      <p className="mb-6 font-medium text-ink">
        {todo > 0 ? t("summaryTodo", { done, todo, all: done + todo }) : t("summaryDone", { done })}
        {list.isPartial ? <span className="mt-0.5 block font-normal text-ink-2 text-sm">{t("partial")}</span> : null}
      </p>
      <div className="grid max-w-4xl grid-cols-1 gap-6">
        <CheckList title={t("groupAccount")} checks={list.account} reader={reader} />
        <CheckList title={t("groupIntegration")} checks={list.integration} reader={reader} />
        <CheckList title={t("groupTrial")} checks={list.trial} reader={reader} />
        {list.merchants.map(({ id, name, checks }) => (
          <CheckList
            key={id}
            title={t("merchant", { name: name ?? id })}
            checks={checks}
            reader={{ ...reader, merchantId: id }}
          />
        ))}
        {list.merchants.length === 0 ? (
          <Card>
            <EmptyState
              icon={Store}
              title={t("noMerchantsTitle")}
              action={<LinkButton href="/dashboard/merchants">{t("noMerchantsGo")}</LinkButton>}
            >
              {t("noMerchantsText")}
            </EmptyState>
          </Card>
        ) : null}
        {list.merchantCount > list.merchants.length ? (
          <p className="text-ink-2 text-sm">
            {t("firstMerchants", { shown: list.merchants.length, all: list.merchantCount })}
          </p>
        ) : null}
      </div>
    </>
  );
}

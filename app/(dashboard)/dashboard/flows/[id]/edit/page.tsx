import type { Metadata } from "next";
import { NextIntlClientProvider } from "next-intl";
import { getLocale, getTranslations } from "next-intl/server";
import { cache } from "react";
import { saveFlowAction } from "@/app/(dashboard)/dashboard/flows/[id]/edit/actions";
import { declineNames, LIST, providerNames } from "@/app/(dashboard)/dashboard/flows/words";
import { type GivenParameters, oneOf } from "@/app/(dashboard)/list-url";
import { orNotFound, requireRight } from "@/app/(dashboard)/operator-context";
import { BackLink } from "@/components/dashboard/back-link";
import { DoneNote } from "@/components/dashboard/done-note";
import { PageHead } from "@/components/dashboard/page-head";
import { FlowEditor } from "@/components/flows/editor/flow-editor";
import { LinkButton } from "@/components/ui/link-button";
import { inSnapshot } from "@/lib/context";
import { notFound } from "@/lib/errors";
import { passagesOf } from "@/lib/flows/effects";
import { type FlowRow, getFlow, rootOf, versionOf } from "@/lib/flows/queries";
import { DEFAULT_LOCALE, isLocale } from "@/lib/i18n/locales";
import { messages } from "@/lib/i18n/messages";
import { isUuid } from "@/lib/ids";
import { providersOfMerchants } from "@/lib/merchants/queries";
import { may } from "@/lib/operators/permissions";
import { offersMethod } from "@/lib/payments/routing/decide";
import type { ProviderRow } from "@/lib/payments/routing/provider";
import { isAntifraudKind } from "@/lib/providers/kinds";
import { providerFor } from "@/lib/providers/registry";

interface EditPageProps {
  params: Promise<{ id: string }>;
  searchParams: Promise<GivenParameters>;
}

const read = cache(async (id: string) => {
  const member = await requireRight(`${LIST}/${id}/edit`, "flows.edit");
  const found = await orNotFound(
    inSnapshot(member.ctx, async (inside) => {
      if (!isUuid(id)) throw notFound("flow");
      const flow = await getFlow(inside, id);
      if (flow.status === "archived") throw notFound("flow");
      return {
        row: flow,
        providers: await providersOfMerchants(inside, flow.merchantIds),
        names: await providerNames(inside, flow),
        passages: await passagesOf(inside, flow),
      };
    }),
  );
  return { ...member, found };
});

export async function generateMetadata({ params }: EditPageProps): Promise<Metadata> {
  const [{ found }, t] = await Promise.all([read((await params).id), getTranslations("flows")]);
  return { title: t("editTitle", { name: found.row.name }) };
}

export default async function EditFlowPage({ params, searchParams }: EditPageProps) {
  const [{ id }, given] = await Promise.all([params, searchParams]);
  const { found, role } = await read(id);
  const { row, providers, names, passages } = found;
  const [t, locale, declines] = [await getTranslations("flows"), await getLocale(), await declineNames()];
  const version = versionOf(row);
  return (
    <>
      <BackLink href={`${LIST}/${id}`} text={row.name} />
      <PageHead
        title={t("editTitle", { name: row.name })}
        description={row.status === "active" ? t("editActiveText", { version }) : t("editDraftText")}
        aside={t("versionOf", { version })}
        action={
          row.status === "draft" ? (
            <>
              <LinkButton href={`${LIST}/${id}/replay`}>{t("replay")}</LinkButton>
              {may(role, "flows.activate") ? (
                <LinkButton href={`${LIST}/${id}?do=activate`}>{t("activate")}</LinkButton>
              ) : null}
            </>
          ) : null
        }
      />
      {oneOf(given, "done") === "saved" ? <DoneNote text={t("doneSaved")} /> : null}
      <NextIntlClientProvider
        locale={locale}
        messages={{ flows: messages[isLocale(locale) ? locale : DEFAULT_LOCALE].flows }}
      >
        <FlowEditor
          key={version}
          flow={{
            id,
            name: row.name,
            version,
            root: rootOf(row),
            method: row.paymentMethod,
            isDraft: row.status === "draft",
          }}
          providers={providers.map((provider) => ({
            ...editedProvider(provider, row.paymentMethod),
            name: names[provider.id] ?? provider.name,
          }))}
          declines={declines}
          passages={passages}
          onSave={saveFlowAction}
        />
      </NextIntlClientProvider>
    </>
  );
}

function editedProvider({ id, name, kind, routable, pausedAt }: ProviderRow, method: FlowRow["paymentMethod"]) {
  const isAntifraud = isAntifraudKind(kind);
  const card = routable && !isAntifraud ? providerFor(kind).capabilities.card : false;
  return {
    id,
    name,
    kind,
    isAntifraud,
    isAvailable: routable,
    takesMethod: routable && offersMethod(kind, method),
    isOfMerchants: true,
    isPaused: pausedAt !== null,
    mostInstallments: card === false ? null : card.maxInstallments,
  };
}

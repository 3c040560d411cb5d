import { getFormatter, getTranslations } from "next-intl/server";
import { LIST } from "@/app/(dashboard)/dashboard/flows/words";
import { DataList } from "@/components/dashboard/data-list";
import { Badge } from "@/components/ui/badge";
import { Card, CardHeader } from "@/components/ui/card";
import { LinkButton } from "@/components/ui/link-button";
import type { MerchantView } from "@/lib/merchants/queries";
import { isAntifraudKind } from "@/lib/providers/kinds";

/** Whom new payments can go to, in the order of priority that holds where no flow decides. */
export async function ProvidersCard({
  merchants,
  mayPause,
}: {
  merchants: readonly MerchantView[];
  mayPause: boolean;
}) {
  const [t, format] = await Promise.all([getTranslations("flows"), getFormatter()]);
  const rows = merchants.flatMap(({ merchant, providers }) =>
    providers.filter(({ kind }) => !isAntifraudKind(kind)).map((provider) => ({ merchant, provider })),
  );
  if (rows.length === 0) return null;
  return (
    <Card className="overflow-hidden">
      <CardHeader title={t("providersTitle")} description={t("providersText")} />
      <DataList
        caption={t("providersTitle")}
        columns={[
          { key: "name", title: t("name") },
          { key: "merchant", title: t("merchant") },
          { key: "priority", title: t("priority"), isNumeric: true },
          { key: "status", title: t("status") },
        ]}
        {...(mayPause ? { actions: t("pause") } : {})}
        rows={rows.map(({ merchant, provider: { id, name, priority, pausedAt, routable } }) => ({
          id,
          cells: [
            name,
            merchant.name ?? merchant.id,
            format.number(priority),
            pausedAt ? (
              <Badge key="status" tone="warning">
                {t("pausedSince", { when: format.dateTime(pausedAt, { dateStyle: "medium", timeStyle: "short" }) })}
              </Badge>
            ) : (
              <Badge key="status" tone={routable ? "success" : "neutral"}>
                {routable ? t("inUse") : t("notAvailable")}
              </Badge>
            ),
          ],
          actions: mayPause ? (
            <LinkButton href={`${LIST}?do=pause&provider=${id}`} scroll={false} size="sm">
              {pausedAt ? t("resume") : t("pause")}
            </LinkButton>
          ) : undefined,
        }))}
      />
    </Card>
  );
}

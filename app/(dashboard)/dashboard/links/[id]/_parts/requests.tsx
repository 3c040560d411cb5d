import { getFormatter, getTranslations } from "next-intl/server";
import { DataList } from "@/components/dashboard/data-list";
import { Moment } from "@/components/dashboard/moment";
import { Card, CardHeader } from "@/components/ui/card";
import { LinkButton } from "@/components/ui/link-button";
import type { AskedLink } from "@/lib/checkout/new-link";

interface RequestsProps {
  requests: readonly AskedLink[];
  path: string;
  mayAnswer: boolean;
}

/** Who found the link closed and asked for another one, each with its answer. */
export async function Requests({ requests, path, mayAnswer }: RequestsProps) {
  const t = await getTranslations("links");
  const format = await getFormatter();
  return (
    <Card className="overflow-hidden">
      <CardHeader title={t("requests")} description={t("requestsText")} />
      <DataList
        caption={t("requests")}
        columns={[
          { key: "buyer", title: t("buyer") },
          { key: "email", title: t("email") },
          { key: "date", title: t("date"), isNumeric: true },
        ]}
        actions={t("answer")}
        rows={requests.map((request) => ({
          id: request.id,
          cells: [
            request.name ?? t("none"),
            request.email ?? t("none"),
            <Moment
              key="date"
              at={request.at}
              text={format.dateTime(request.at, { dateStyle: "medium", timeStyle: "short" })}
            />,
          ],
          actions: request.answeredWith ? (
            <LinkButton href={`/dashboard/links/${request.answeredWith}`} size="sm" tone="quiet">
              {t("answered")}
            </LinkButton>
          ) : mayAnswer && request.email ? (
            <LinkButton href={`${path}?do=answer&request=${request.id}`} scroll={false} size="sm">
              {t("answer")}
            </LinkButton>
          ) : null,
        }))}
      />
    </Card>
  );
}

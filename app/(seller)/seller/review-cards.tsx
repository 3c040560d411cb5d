import { getFormatter, getTranslations } from "next-intl/server";
import { askedNamer, DOCUMENT_TEXTS } from "@/app/(dashboard)/dashboard/sellers/words";
import { Card, CardBody, CardHeader } from "@/components/ui/card";
import { LinkButton } from "@/components/ui/link-button";
import { SELLER_PATH } from "@/lib/seller-access/links";
import type { OwnPage } from "@/lib/seller-access/page";
import type { ReviewRow } from "@/lib/sellers/queries";

/** What a provider wants, first of all: without it nothing else on the page goes on. */
export async function AskedCards({ reviews }: { reviews: readonly ReviewRow[] }) {
  const [t, format, asked] = await Promise.all([getTranslations("sellerPage"), getFormatter(), askedNamer()]);
  const open = reviews.filter(({ status }) => status === "opened");
  const isSubmitted = reviews.some(({ status }) => status === "submitted");
  return (
    <>
      {open.map(({ id, deadline, reason, requestedFields }) => (
        <Card key={id} className="overflow-hidden border-warning">
          <CardHeader
            title={t("askedTitle", { day: format.dateTime(deadline, { dateStyle: "long" }) })}
            description={t("askedText")}
          />
          <CardBody className="grid gap-4">
            <ul className="list-disc pl-5 text-ink text-sm">
              {requestedFields.map((field) => (
                <li key={field}>{field.startsWith("bankAccount") ? t("askedAccount") : asked(field)}</li>
              ))}
            </ul>
            {reason ? <p className="text-ink-2 text-sm">{t("askedWhy", { reason })}</p> : null}
            <LinkButton href={`${SELLER_PATH}/${id}`} tone="primary" size="lg" className="justify-self-start">
              {t("answer")}
            </LinkButton>
          </CardBody>
        </Card>
      ))}
      {isSubmitted ? (
        <Card>
          <CardHeader title={t("submittedTitle")} description={t("submittedText")} />
        </Card>
      ) : null}
    </>
  );
}

export async function DocumentsCard({ page: { documents } }: { page: OwnPage }) {
  const [t, names, format] = await Promise.all([
    getTranslations("sellerPage"),
    getTranslations("sellers"),
    getFormatter(),
  ]);
  return (
    <Card className="overflow-hidden">
      <CardHeader title={t("documents")} />
      {documents.length === 0 ? <p className="px-5 py-4 text-ink-3 text-sm">{t("documentsNone")}</p> : null}
      <ul className="divide-y divide-line">
        {documents.map(({ id, type, createdAt }) => (
          <li key={id} className="flex items-baseline justify-between gap-4 px-5 py-3 text-sm">
            <span className="text-ink">{names(DOCUMENT_TEXTS[type])}</span>
            <span className="text-ink-3 text-xs">{format.dateTime(createdAt, { dateStyle: "medium" })}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

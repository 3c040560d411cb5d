import { getFormatter, getTranslations } from "next-intl/server";
import {
  askedNamer,
  DOCUMENT_TEXTS,
  providerNamer,
  REGISTRATION_LOOKS,
  REGISTRATION_TEXTS,
  REVIEW_LOOKS,
  REVIEW_TEXTS,
} from "@/app/(dashboard)/dashboard/sellers/words";
import { DataList } from "@/components/dashboard/data-list";
import { Badge } from "@/components/ui/badge";
import { Card, CardHeader } from "@/components/ui/card";
import { LinkButton } from "@/components/ui/link-button";
import type { SellerOverview } from "@/lib/sellers/operator-queries";

/** Of the providers that register sellers, in their own words. */
const SAID_TEXTS = {
  registration: "saidReviewing",
  affiliation: "saidReviewing",
  enabled: "saidActive",
  active: "saidActive",
  refused: "saidRefused",
  suspended: "saidSuspended",
  blocked: "saidBlocked",
  disabled: "saidDeactivated",
  inactive: "saidDeactivated",
} as const;

const isKnownWord = (word: string): word is keyof typeof SAID_TEXTS => Object.hasOwn(SAID_TEXTS, word);

async function ProviderWords({ status, reason }: { status: string | null; reason: string | null }) {
  const t = await getTranslations("sellers");
  const said = [status, reason].filter(Boolean).join(": ");
  if (said === "") return t("none");
  return (
    <span className="block md:whitespace-normal">
      {status !== null && isKnownWord(status) ? t(SAID_TEXTS[status]) : t("saidOther")}
      <code className="block wrap-break-word font-mono text-ink-3 text-xs">{said}</code>
    </span>
  );
}

/** The provider's own words stand beside ours. */
export async function RegistrationsCard({ overview: { seller, providers } }: { overview: SellerOverview }) {
  const [t, format, named] = await Promise.all([getTranslations("sellers"), getFormatter(), providerNamer()]);
  return (
    <Card className="overflow-hidden">
      <CardHeader title={t("registrations")} description={t("registrationsText")} />
      <DataList
        caption={t("registrations")}
        columns={[
          { key: "provider", title: t("provider") },
          { key: "status", title: t("status") },
          { key: "words", title: t("providerWords"), isFolded: true },
          { key: "external", title: t("externalId"), isMinor: true, isFlexible: true },
          { key: "updated", title: t("updated"), isNumeric: true, isFolded: true },
        ]}
        rows={seller.registrations.map((registration) => ({
          id: registration.id,
          cells: [
            <span key="provider" className="wrap-break-word md:block md:min-w-20 md:whitespace-normal">
              {named(registration.id, providers)}
            </span>,
            <Badge key="status" {...REGISTRATION_LOOKS[registration.status]}>
              {t(REGISTRATION_TEXTS[registration.status])}
            </Badge>,
            <ProviderWords
              key="words"
              status={registration.externalStatus}
              reason={registration.externalStatusReason}
            />,
            <span
              key="external"
              className="block truncate font-mono text-xs"
              title={registration.externalId ?? undefined}
            >
              {registration.externalId ?? t("none")}
            </span>,
            format.dateTime(registration.updatedAt, { dateStyle: "medium", timeStyle: "short" }),
          ],
        }))}
      />
    </Card>
  );
}

interface ReviewsCardProps {
  overview: SellerOverview;
  path: string;
  mayAnswer: boolean;
}

export async function ReviewsCard({ overview: { reviews, providers }, path, mayAnswer }: ReviewsCardProps) {
  const [t, format, asked, named] = await Promise.all([
    getTranslations("sellers"),
    getFormatter(),
    askedNamer(),
    providerNamer(),
  ]);
  if (reviews.length === 0) return null;
  return (
    <Card className="overflow-hidden">
      <CardHeader title={t("reviews")} description={t("reviewsText")} />
      <DataList
        caption={t("reviews")}
        columns={[
          { key: "provider", title: t("provider") },
          { key: "asked", title: t("asked") },
          { key: "status", title: t("status") },
          { key: "deadline", title: t("deadline"), isNumeric: true },
        ]}
        {...(mayAnswer ? { actions: t("answer") } : {})}
        rows={reviews.map((review) => ({
          id: review.id,
          cells: [
            <span key="provider" className="wrap-break-word md:block md:min-w-20 md:whitespace-normal">
              {named(review.registrationId, providers)}
            </span>,
            <span key="asked" className="md:whitespace-normal">
              {format.list(review.requestedFields.map(asked), { type: "conjunction" })}
            </span>,
            <Badge key="status" {...REVIEW_LOOKS[review.status]}>
              {t(REVIEW_TEXTS[review.status])}
            </Badge>,
            format.dateTime(review.deadline, { dateStyle: "medium" }),
          ],
          actions:
            mayAnswer && review.status === "opened" ? (
              <LinkButton href={`${path}?do=review&review=${review.id}`} scroll={false} size="sm" tone="primary">
                {t("answer")}
              </LinkButton>
            ) : null,
        }))}
      />
    </Card>
  );
}

interface DocumentsCardProps {
  overview: SellerOverview;
  path: string;
  mayOpen: boolean;
  mayAdd: boolean;
}

const KILOBYTE = 1_024;

export async function DocumentsCard({ overview: { documents }, path, mayOpen, mayAdd }: DocumentsCardProps) {
  const [t, format] = await Promise.all([getTranslations("sellers"), getFormatter()]);
  return (
    <Card className="overflow-hidden">
      <CardHeader
        title={t("documents")}
        description={mayOpen ? t("documentsText") : undefined}
        actions={
          mayAdd ? (
            <LinkButton href={`${path}?do=document`} scroll={false} size="sm">
              {t("addDocument")}
            </LinkButton>
          ) : null
        }
      />
      {documents.length === 0 ? (
        <p className="px-5 py-6 text-ink-3 text-sm">{t("documentsNone")}</p>
      ) : (
        <DataList
          caption={t("documents")}
          columns={[
            { key: "type", title: t("documentType") },
            { key: "size", title: t("size"), isNumeric: true },
            { key: "sent", title: t("added"), isNumeric: true },
          ]}
          {...(mayOpen ? { actions: t("openDocument") } : {})}
          rows={documents.map((document) => ({
            id: document.id,
            cells: [
              t(DOCUMENT_TEXTS[document.type]),
              t("kilobytes", { size: Math.ceil(document.size / KILOBYTE) }),
              format.dateTime(document.createdAt, { dateStyle: "medium" }),
            ],
            actions: document.erasedAt ? (
              <span className="text-ink-3 text-sm">{t("erased")}</span>
            ) : mayOpen ? (
              <LinkButton
                href={`/dashboard/sellers/documents/${document.id}`}
                prefetch={false}
                target="_blank"
                size="sm"
              >
                {t("openDocument")}
              </LinkButton>
            ) : null,
          }))}
        />
      )}
    </Card>
  );
}

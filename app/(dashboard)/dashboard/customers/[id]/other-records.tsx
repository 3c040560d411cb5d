import Link from "next/link";
import { getFormatter, getLocale, getTranslations } from "next-intl/server";
import { Card, CardHeader } from "@/components/ui/card";
import { LinkButton } from "@/components/ui/link-button";
import { formatCents } from "@/components/ui/money-format";
import type { OtherRecord, PersonFigures } from "@/lib/customers/operator-queries";
import type { Buyer } from "@/lib/operators/buyers";

const LIST = "/dashboard/customers";

/** What a person paid and keeps under this record and all others of the document: as the list sums them up. */
export async function PersonLine({ person }: { person: PersonFigures | undefined }) {
  if (!person || person.records < 2) return null;
  const [t, locale] = await Promise.all([getTranslations("customers"), getLocale()]);
  const { records, cards, payments, total, isMore } = person;
  const amount = formatCents(total, "BRL", locale);
  return <>{isMore ? t("personMany", { records }) : t("person", { records, cards, payments, amount })}</>;
}

interface OtherRecordsProps {
  /** The one whose page it is. */
  buyer: Buyer;
  others: readonly OtherRecord[];
  /** How many there are; more than are shown until all are asked for. */
  count: number;
  allHref: string;
}

/** Each of the others by when it began and what is under it, and by what it is called where that differs. */
export async function OtherRecords({ buyer, others, count, allHref }: OtherRecordsProps) {
  if (others.length === 0) return null;
  const [t, format, locale] = await Promise.all([getTranslations("customers"), getFormatter(), getLocale()]);
  const underOf = ({ cards, payments, total, isMore }: OtherRecord): string =>
    isMore
      ? t("recordMany", { cards })
      : t("recordUnder", { cards, payments, amount: formatCents(total, "BRL", locale) });
  return (
    <Card id="others">
      <CardHeader
        title={t("others")}
        actions={
          count > others.length ? (
            <LinkButton href={allHref} scroll={false} size="sm">
              {t("othersAll", { count })}
            </LinkButton>
          ) : null
        }
      />
      <ul className="divide-y divide-line">
        {others.map((other) => (
          <li key={other.buyer.id} className="px-5 py-3 text-sm">
            <Link
              href={`${LIST}/${other.buyer.id}`}
              className="rounded-sm text-accent-ink underline-offset-4 hover:underline"
            >
              {t("recordSince", {
                date: format.dateTime(other.createdAt, { dateStyle: "medium", timeStyle: "short" }),
              })}
            </Link>
            <span className="block text-ink-2">{underOf(other)}</span>
            {other.buyer.name === buyer.name ? null : <span className="block text-ink-3">{other.buyer.name}</span>}
            {other.buyer.email === buyer.email ? null : (
              <span className="block break-all text-ink-3">{other.buyer.email}</span>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}

import { SearchX, UsersRound, WalletCards } from "lucide-react";
import type { Metadata } from "next";
import { getFormatter, getLocale, getTranslations } from "next-intl/server";
import { EVERY_TEXTS } from "@/app/(dashboard)/dashboard/links/fields";
import {
  checkNewSubscriptionAction,
  createSubscriptionAction,
} from "@/app/(dashboard)/dashboard/subscriptions/form-actions";
import { methodOptions, newFields, splitTexts } from "@/app/(dashboard)/dashboard/subscriptions/form-fields";
import { LIST } from "@/app/(dashboard)/dashboard/subscriptions/words";
import { type GivenParameters, oneOf, withParameters } from "@/app/(dashboard)/list-url";
import { type OnAccount, orNotFound, requireRight } from "@/app/(dashboard)/operator-context";
import { taskTexts } from "@/app/(dashboard)/task-texts";
import { BackLink } from "@/components/dashboard/back-link";
import { DataList } from "@/components/dashboard/data-list";
import { FilterForm } from "@/components/dashboard/filter-form";
import { PageHead } from "@/components/dashboard/page-head";
import { PageLinks } from "@/components/dashboard/page-links";
import { SplitEditor } from "@/components/links/split-editor";
import { TaskForm } from "@/components/tasks/task-form";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";
import { formatCents } from "@/components/ui/money-format";
import { maskTaxId } from "@/lib/brazil/cpf-cnpj";
import { merchantsToChoose, providersToChoose } from "@/lib/charges/to-choose";
import { now } from "@/lib/context";
import {
  CUSTOMERS_PER_PAGE,
  customerFiguresOf,
  customerOverview,
  listCustomersForOperator,
} from "@/lib/customers/operator-queries";
import { newId } from "@/lib/ids";
import { isPaymentKind } from "@/lib/providers/kinds";
import { providerFor } from "@/lib/providers/registry";
import { customersLike } from "@/lib/search/buyers";
import { sellersToShare } from "@/lib/sellers/operator-queries";
import { utcDayOf } from "@/lib/subscriptions/calendar";
import { earlierPlans } from "@/lib/subscriptions/earlier-plans";

const PAGE = `${LIST}/new`;
const SEARCH_ID = "customer-search";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("subscriptions");
  return { title: t("newTitle") };
}

/** First whose it is, then what it is. */
export default async function NewSubscriptionPage({ searchParams }: { searchParams: Promise<GivenParameters> }) {
  const given = await searchParams;
  const sender = await requireRight(withParameters(PAGE, given, {}), "subscriptions.edit");
  const t = await getTranslations("subscriptions");
  const customerId = oneOf(given, "customer");
  return (
    <>
      <BackLink href={LIST} text={t("title")} />
      {customerId === undefined ? (
        <Customers sender={sender} given={given} />
      ) : (
        <Plan sender={sender} customerId={customerId} likeId={oneOf(given, "like")} />
      )}
    </>
  );
}

async function Customers({ sender: { ctx, role }, given }: { sender: OnAccount; given: GivenParameters }) {
  const [t, words, format] = await Promise.all([
    getTranslations("subscriptions"),
    getTranslations("customers"),
    getFormatter(),
  ]);
  const search = oneOf(given, "q");
  const { items, previous, next } = await listCustomersForOperator(ctx, role, {
    ids: search ? await customersLike(ctx, role, search, CUSTOMERS_PER_PAGE) : undefined,
    after: oneOf(given, "after"),
    before: oneOf(given, "before"),
    isToCharge: true,
  });
  // Without a saved card only Pix Automático is left, or nothing: it shows before somebody is chosen.
  const figures = await customerFiguresOf(
    ctx,
    items.map(({ id }) => id),
  );
  return (
    <>
      <PageHead title={t("newTitle")} description={t("newWhose")} />
      <FilterForm
        path={PAGE}
        searchId={SEARCH_ID}
        search={search ?? ""}
        kept={[]}
        choices={[]}
        texts={{
          searchLabel: words("searchLabel"),
          searchPlaceholder: words("searchPlaceholder"),
          searchAction: words("search"),
        }}
      />
      <Card className="mt-4 overflow-hidden">
        {items.length === 0 ? (
          search ? (
            <EmptyState
              icon={SearchX}
              title={words("noneFoundTitle")}
              action={<LinkButton href={PAGE}>{words("clear")}</LinkButton>}
            >
              {words("noneFoundText", { search })}
            </EmptyState>
          ) : (
            <EmptyState icon={UsersRound} title={words("emptyTitle")}>
              {words("emptyText")}
            </EmptyState>
          )
        ) : (
          <DataList
            caption={words("title")}
            columns={[
              { key: "name", title: words("name") },
              { key: "email", title: words("email") },
              { key: "document", title: words("document") },
              { key: "cards", title: words("cards"), isNumeric: true },
              { key: "since", title: words("since"), isNumeric: true },
            ]}
            rows={items.map((buyer) => ({
              id: buyer.id,
              href: withParameters(PAGE, {}, { customer: buyer.id }),
              cells: [
                buyer.name,
                buyer.email,
                buyer.document === null ? t("none") : maskTaxId(buyer.document),
                format.number(figures.get(buyer.id)?.cards ?? 0),
                format.dateTime(buyer.createdAt, { dateStyle: "medium", timeStyle: "short" }),
              ],
            }))}
          />
        )}
        <div className="px-5 py-3 empty:hidden">
          <PageLinks
            label={words("pages")}
            previous={{
              href: previous && withParameters(PAGE, given, { before: previous, after: undefined }),
              text: words("previous"),
            }}
            next={{
              href: next && withParameters(PAGE, given, { after: next, before: undefined }),
              text: words("next"),
            }}
          />
        </div>
      </Card>
    </>
  );
}

interface PlanProps {
  sender: OnAccount;
  customerId: string;
  /** The earlier subscription that it begins as. */
  likeId: string | undefined;
}

async function Plan({ sender: { ctx, role }, customerId, likeId }: PlanProps) {
  const { buyer, cards } = await orNotFound(customerOverview(ctx, role, customerId));
  const [t, every, locale, merchants, kinds, sellers, earlier] = await Promise.all([
    getTranslations("subscriptions"),
    getTranslations("links"),
    getLocale(),
    merchantsToChoose(ctx, role),
    providersToChoose(ctx, role),
    sellersToShare(ctx, role),
    earlierPlans(ctx, role),
  ]);
  const hasMandates = kinds.some((kind) => isPaymentKind(kind) && providerFor(kind).mandates !== undefined);
  const methods = await methodOptions(cards, hasMandates);
  const head = <PageHead title={t("newTitle")} description={t("newFor", { name: buyer.name })} />;
  if (methods.length === 0) {
    return (
      <>
        {head}
        <Card>
          <EmptyState
            icon={WalletCards}
            title={t("newNoCardTitle")}
            action={<LinkButton href="/dashboard/links/new">{t("newNoCardLink")}</LinkButton>}
          >
            {t("newNoCardText")}
          </EmptyState>
        </Card>
      </>
    );
  }
  const like = earlier.find(({ id }) => id === likeId);
  const only = merchants.length === 1 ? merchants[0]?.id : undefined;
  return (
    <>
      {head}
      {earlier.length > 0 ? (
        <section aria-labelledby="earlier-plans" className="mb-4 max-w-3xl">
          <h2 id="earlier-plans" className="mb-2 text-ink-2 text-sm">
            {t("formLike")}
          </h2>
          <ul className="flex flex-wrap gap-2">
            {earlier.map(({ id, name, amount, interval }) => (
              <li key={id} className="max-w-full">
                <LinkButton
                  size="sm"
                  href={withParameters(PAGE, {}, { customer: customerId, like: id })}
                  scroll={false}
                  aria-current={id === like?.id ? "true" : undefined}
                >
                  <span className="truncate">
                    {t("formLikePlan", {
                      name,
                      amount: formatCents(amount, "BRL", locale),
                      every: every(EVERY_TEXTS[interval]),
                    })}
                  </span>
                </LinkButton>
              </li>
            ))}
          </ul>
        </section>
      ) : null}
      <Card className="max-w-3xl">
        <TaskForm
          key={like?.id}
          isWide
          onAct={createSubscriptionAction}
          onCheck={checkNewSubscriptionAction}
          closeHref={PAGE}
          texts={await taskTexts(t("newReview"))}
          hidden={{ customerId, form: newId(), ...(only ? { merchantId: only } : {}) }}
          fields={await newFields({ methods, hasMandates, merchants, today: utcDayOf(now(ctx)), like })}
          after={
            sellers.length > 0 ? <SplitEditor sellers={sellers} locale={locale} texts={await splitTexts()} /> : null
          }
        />
      </Card>
    </>
  );
}

import { BookOpen, SearchX } from "lucide-react";
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { FinanceTabs } from "@/app/(dashboard)/dashboard/finance/tabs";
import { financeWords, LEDGER } from "@/app/(dashboard)/dashboard/finance/words";
import { ExportButton } from "@/app/(dashboard)/export-button";
import { type GivenParameters, oneOf, withParameters } from "@/app/(dashboard)/list-url";
import { orNotFound, requireRight } from "@/app/(dashboard)/operator-context";
import { DataList } from "@/components/dashboard/data-list";
import { FilterForm } from "@/components/dashboard/filter-form";
import { ListKeys } from "@/components/dashboard/list-keys";
import { PageHead } from "@/components/dashboard/page-head";
import { PageLinks } from "@/components/dashboard/page-links";
import { Card, CardHeader } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";
import { type LedgerView, ledgerView } from "@/lib/finance/ledger";

const SEARCH_ID = "ledger-search";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("finance");
  return { title: t("ledger") };
}

export default async function LedgerPage({ searchParams }: { searchParams: Promise<GivenParameters> }) {
  const given = await searchParams;
  const { ctx, role } = await requireRight(withParameters(LEDGER, given, {}), "ledger.see");
  const t = await getTranslations("finance");
  const [search, kind, accountId, after] = ["q", "kind", "account", "after"].map((name) => oneOf(given, name));
  const view = await orNotFound(ledgerView(ctx, role, { search, kind, accountId, after }));
  return (
    <>
      <PageHead
        title={t("ledger")}
        aside={t("zone")}
        description={t("ledgerText")}
        action={<ExportButton role={role} type="ledger" isNarrower={[search, kind, accountId].some(Boolean)} />}
      />
      <FinanceTabs here="ledger" role={role} />
      <FilterForm
        path={LEDGER}
        searchId={SEARCH_ID}
        search={search ?? ""}
        kept={[]}
        choices={[]}
        texts={{ searchLabel: t("searchLabel"), searchPlaceholder: t("searchPlaceholder"), searchAction: t("search") }}
      />
      <div className="mt-4 grid gap-5">
        {view.journals ? <JournalsCard view={view} search={search} given={given} /> : null}
        {view.accounts ? <AccountsCard accounts={view.accounts} given={given} /> : null}
        <ChartCard view={view} />
      </div>
      <ListKeys searchId={SEARCH_ID} />
    </>
  );
}

/** Every kind of account with the sum of its balances; all of them together are nothing. */
async function ChartCard({ view: { totals, sum } }: { view: LedgerView }) {
  const [t, { money, kind, side }] = await Promise.all([getTranslations("finance"), financeWords()]);
  if (totals.length === 0) {
    return (
      <Card>
        <EmptyState icon={BookOpen} title={t("ledgerEmptyTitle")}>
          {t("ledgerEmptyText")}
        </EmptyState>
      </Card>
    );
  }
  return (
    <Card className="overflow-hidden">
      <CardHeader
        title={t("accounts")}
        description={sum === 0 ? t("accountsText") : t("accountsBroken", { sum: money(sum) })}
      />
      <DataList
        caption={t("accounts")}
        columns={[
          { key: "account", title: t("account") },
          { key: "count", title: t("count"), isNumeric: true },
          { key: "side", title: t("side") },
          { key: "balance", title: t("balance"), isNumeric: true },
        ]}
        rows={totals.map((each) => ({
          id: each.kind,
          href: `${LEDGER}?kind=${encodeURIComponent(each.kind)}`,
          cells: [
            kind(each.kind),
            String(each.accounts),
            side(each.balance) || t("none"),
            money(Math.abs(each.balance)),
          ],
        }))}
      />
    </Card>
  );
}

interface AccountsCardProps {
  accounts: NonNullable<LedgerView["accounts"]>;
  given: GivenParameters;
}

async function AccountsCard({ accounts, given }: AccountsCardProps) {
  const [t, { money, kind, account, side }] = await Promise.all([getTranslations("finance"), financeWords()]);
  return (
    <Card className="overflow-hidden">
      <CardHeader
        title={kind(accounts.kind)}
        description={accounts.kind === "merchant_available" ? t("releasedText") : undefined}
        actions={
          <LinkButton href={LEDGER} size="sm">
            {t("close")}
          </LinkButton>
        }
      />
      <DataList
        caption={kind(accounts.kind)}
        columns={[
          { key: "account", title: t("account") },
          { key: "merchant", title: t("merchant") },
          { key: "side", title: t("side") },
          { key: "balance", title: t("balance"), isNumeric: true },
        ]}
        rows={accounts.items.map((each) => ({
          id: each.id,
          href: `${LEDGER}?account=${each.id}`,
          cells: [
            account(each),
            each.merchant ?? t("none"),
            side(each.balance) || t("none"),
            money(Math.abs(each.balance)),
          ],
        }))}
      />
      <div className="px-5 py-3 empty:hidden">
        <PageLinks
          label={t("pages")}
          previous={{ href: undefined, text: t("newer") }}
          next={{ href: accounts.next && withParameters(LEDGER, given, { after: accounts.next }), text: t("more") }}
        />
      </div>
    </Card>
  );
}

interface JournalsCardProps {
  view: LedgerView;
  search: string | undefined;
  given: GivenParameters;
}

/** What an account lived through, or what was found by its evidence. */
async function JournalsCard({ view: { account, journals }, search, given }: JournalsCardProps) {
  const [t, words] = await Promise.all([getTranslations("finance"), financeWords()]);
  const { money, moment, side } = words;
  const items = journals?.items ?? [];
  return (
    <Card className="overflow-hidden">
      <CardHeader
        title={account && !search ? words.account(account) : t("foundJournals")}
        description={
          account && !search ? (
            <>
              {t("balanceNow", { amount: money(Math.abs(account.balance)), side: side(account.balance) || t("even") })}
              {account.kind === "merchant_available" ? <span className="block">{t("releasedText")}</span> : null}
            </>
          ) : (
            t("foundText", { count: items.length })
          )
        }
        actions={
          <LinkButton href={LEDGER} size="sm">
            {t("close")}
          </LinkButton>
        }
      />
      {items.length === 0 ? (
        <EmptyState icon={SearchX} title={t("journalsNone")}>
          {search ? t("journalsNoneText") : null}
        </EmptyState>
      ) : (
        <DataList
          caption={t("journals")}
          columns={[
            { key: "journal", title: t("journal") },
            { key: "at", title: t("at"), isNumeric: true },
            ...(account && !search ? [{ key: "side", title: t("side") }] : []),
            { key: "amount", title: t("amount"), isNumeric: true },
          ]}
          rows={items.map((each) => ({
            id: each.id,
            href: `${LEDGER}/${each.id}`,
            cells: [
              words.journal(each.type),
              moment(each.at),
              ...(account && !search ? [side(each.amount)] : []),
              money(Math.abs(each.amount)),
            ],
          }))}
        />
      )}
      <div className="px-5 py-3 empty:hidden">
        <PageLinks
          label={t("pages")}
          previous={{ href: undefined, text: t("newer") }}
          next={{
            href: journals?.next && withParameters(LEDGER, given, { after: journals.next }),
            text: t("older"),
          }}
        />
      </div>
    </Card>
  );
}

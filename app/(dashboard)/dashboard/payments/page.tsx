import { X } from "lucide-react";
import type { Metadata } from "next";
import { cookies } from "next/headers";
import Link from "next/link";
import { getFormatter, getLocale, getTranslations } from "next-intl/server";
import { Suspense } from "react";
import { connectionNames } from "@/app/(dashboard)/dashboard/connection-names";
import { declineWords } from "@/app/(dashboard)/dashboard/payments/[id]/decline-words";
import { connectionChoices } from "@/app/(dashboard)/dashboard/payments/connection-choices";
import { filterWords } from "@/app/(dashboard)/dashboard/payments/filter-words";
import {
  BRAND_CHOICES,
  type FilterProblem,
  filterProblems,
  paymentFilters,
} from "@/app/(dashboard)/dashboard/payments/filters";
import { FraudNote } from "@/app/(dashboard)/dashboard/payments/fraud-note";
import { PERIODS } from "@/app/(dashboard)/dashboard/payments/periods";
import { PaymentResults } from "@/app/(dashboard)/dashboard/payments/results";
import { ColumnsLink, isViewDialog, ViewDialog, ViewsBar } from "@/app/(dashboard)/dashboard/payments/views";
import { paymentWords } from "@/app/(dashboard)/dashboard/payments/words";
import { type GivenParameters, oneOf, severalOf, withParameters } from "@/app/(dashboard)/list-url";
import { requireRight } from "@/app/(dashboard)/operator-context";
import { typedAmounts } from "@/app/(dashboard)/typed-amounts";
import { DENSITY_COOKIE, densityOf } from "@/components/charges/density";
import { PaymentListSkeleton } from "@/components/charges/payment-list-skeleton";
import { StatusTabs } from "@/components/charges/status-tabs";
import { type FilterChoice, FilterForm, type FilterText } from "@/components/dashboard/filter-form";
import { ListKeys } from "@/components/dashboard/list-keys";
import { PageHead } from "@/components/dashboard/page-head";
import { kindName } from "@/components/merchants/provider-names";
import { Card } from "@/components/ui/card";
import { Patience } from "@/components/ui/patience";
import { saoPauloDay } from "@/lib/brazil/bank-calendar";
import type { ListState } from "@/lib/charges/list-states";
import { connectionsToChoose, merchantsToChoose, providersToChoose } from "@/lib/charges/to-choose";
import { now } from "@/lib/context";
import { DECLINED_CODES } from "@/lib/declines/decline-codes";
import { log } from "@/lib/log";
import { may } from "@/lib/operators/permissions";
import { PAYMENT_TYPES } from "@/lib/payments/methods";
import { isAntifraudKind } from "@/lib/providers/kinds";
import { countStates } from "@/lib/search/payments";

const PATH = "/dashboard/payments";
const SEARCH_ID = "payment-search";
const PROBLEM_TEXTS = {
  belowLeast: "problemBelowLeast",
  beforeStart: "problemBeforeStart",
  link: "problemLink",
  metadata: "problemMetadata",
} as const satisfies Record<Exclude<FilterProblem, "amount">, string>;

const CANCELED = ["canceled", "released"] as const;
/** What people call things, and the states that are meant by it. */
const TABS = [
  { wording: "tabAll", status: [] },
  { wording: "tabPaid", status: ["authorized"] },
  { wording: "tabHeld", status: ["pre_authorized", "capture_pending"] },
  { wording: "tabPending", status: ["pending"] },
  { wording: "tabDeclined", status: ["failed"] },
  { wording: "tabRefunded", status: ["refunded"] },
  { wording: "tabCanceled", status: CANCELED },
  { wording: "tabDisputed", status: ["charged_back"] },
] as const satisfies readonly { wording: string; status: readonly ListState[] }[];

/** Parts of the address that the search form leaves as they are. */
const KEPT = ["status", "columns", "limit", "sort"] as const;
const MORE = [
  "from",
  "to",
  "brand",
  "provider",
  "connection",
  "decline",
  "split",
  "buyer",
  "min",
  "max",
  "link",
  "metadata",
] as const;

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("payments");
  return { title: t("title") };
}

export default async function PaymentsPage({ searchParams }: { searchParams: Promise<GivenParameters> }) {
  const given = await searchParams;
  const { ctx, role, account } = await requireRight(withParameters(PATH, given, {}), "payments.see");
  const [t, words, reasons, merchants, providers, connections] = await Promise.all([
    getTranslations("payments"),
    paymentWords(),
    declineWords(),
    merchantsToChoose(ctx, role),
    providersToChoose(ctx, role),
    connectionsToChoose(ctx, role),
  ]);
  const [locale, amounts] = await Promise.all([getLocale(), typedAmounts()]);
  const filters = paymentFilters(given, saoPauloDay(now(ctx)), locale);
  const { connectionId } = filters;
  const said = await filterWords(merchants, await connectionNames(ctx, role, connectionId ? [connectionId] : []));
  const problems = filterProblems(given, locale);
  const told = (problem: FilterProblem, typed: string) =>
    problem === "amount" ? amounts.problemOf(typed) : t(PROBLEM_TEXTS[problem]);
  const chosen = filters.status?.join() ?? "";
  const choice = (name: string, label: string, all: string, options: FilterChoice["options"]): FilterChoice => ({
    name,
    label,
    chosen: oneOf(given, name) ?? "",
    options: [{ value: "", label: all }, ...options],
  });
  const text = (name: string, label: string, placeholder: string, kind?: FilterText["kind"]): FilterText => ({
    name,
    label,
    placeholder,
    value: oneOf(given, name) ?? "",
    problem: problems[name] && told(problems[name], oneOf(given, name) ?? ""),
    kind,
  });
  const { do: asked, ...list } = given;
  const kinds = providers.filter((kind) => !isAntifraudKind(kind));
  const through = connections.filter(({ kind }) => !isAntifraudKind(kind));
  const several = {
    merchants: merchants.length > 1,
    providers: kinds.length > 1 || new Set(through.map(({ name }) => name)).size > 1,
  };
  const connectionsOffered = await connectionChoices(connections, merchants);
  const isOffered = connectionsOffered.some(({ value }) => value === connectionId);
  const kept = isOffered || connectionId === undefined ? KEPT : [...KEPT, "connection"];
  const isWhole = may(role, "buyers.see");
  const density = densityOf((await cookies()).get(DENSITY_COOKIE)?.value);
  const chips = said
    .chips(list)
    .filter(({ drop }) => drop !== "status" || !TABS.some(({ status }) => status.join() === chosen));
  const counts = countStates(
    ctx,
    role,
    filters,
    TABS.map(({ status }) => status),
  ).catch((error: unknown): undefined[] => {
    log.error({ error }, "the tabs of the list could not be counted");
    return [];
  });
  return (
    <>
      <PageHead title={t("title")} aside={t("zone")} />
      <FilterForm
        path={PATH}
        searchId={SEARCH_ID}
        search={oneOf(given, "q") ?? ""}
        kept={kept.flatMap((name) => severalOf(given, name).map((value): [string, string] => [name, value]))}
        choices={[
          choice(
            "method",
            t("methodFilter"),
            t("methodAll"),
            PAYMENT_TYPES.map((type) => ({ value: type, label: words.method(type) })),
          ),
          choice(
            "period",
            t("periodFilter"),
            t("periodAll"),
            PERIODS.map((period) => ({ value: period, label: said.period(period) })),
          ),
          ...(merchants.length > 1
            ? [
                choice(
                  "merchant",
                  t("merchantFilter"),
                  t("merchantAll"),
                  merchants.map(({ id, name }) => ({ value: id, label: name ?? id })),
                ),
              ]
            : []),
        ]}
        more={{
          label: t("moreFilters"),
          isOpen: MORE.some((name) => oneOf(given, name) !== undefined),
          choices: [
            choice(
              "brand",
              t("brandFilter"),
              t("brandAll"),
              BRAND_CHOICES.map((name) => ({ value: name, label: said.brand(name) })),
            ),
            ...(kinds.length > 1
              ? [
                  choice(
                    "provider",
                    t("providerFilter"),
                    t("providerAll"),
                    kinds.map((kind) => ({ value: kind, label: kindName(kind) })),
                  ),
                ]
              : []),
            ...(connectionsOffered.length > 0 && kept === KEPT
              ? [choice("connection", t("providerNameFilter"), t("providerNameAll"), connectionsOffered)]
              : []),
            choice(
              "decline",
              t("declineFilter"),
              t("declineAll"),
              DECLINED_CODES.map((code) => ({ value: code, label: reasons(code) })),
            ),
            choice("split", t("splitFilter"), t("splitAll"), [{ value: "yes", label: t("splitYes") }]),
          ],
          texts: [
            text("from", t("fromFilter"), "", "day"),
            text("to", t("toFilter"), "", "day"),
            text("min", t("minFilter"), t("minPlaceholder"), "amount"),
            text("max", t("maxFilter"), t("maxPlaceholder"), "amount"),
            text("buyer", t("buyerFilter"), t(isWhole ? "buyerPlaceholder" : "buyerPlaceholderMasked")),
            text("link", t("linkFilter"), t("linkPlaceholder")),
            text("metadata", t("metadataFilter"), t("metadataPlaceholder")),
          ],
        }}
        texts={{
          searchLabel: t("searchLabel"),
          searchPlaceholder: t(isWhole ? "searchPlaceholder" : "searchPlaceholderMasked"),
          searchAction: t("searchAction"),
        }}
      />
      {chips.length > 0 ? (
        <ul aria-label={t("filtersSaid")} className="mt-3 flex flex-wrap gap-1.5 print:hidden">
          {chips.map(({ drop, text: chip }) => (
            <li key={drop}>
              <Link
                href={withParameters(PATH, list, { [drop]: undefined, after: undefined, before: undefined })}
                scroll={false}
                className="inline-flex min-h-7 max-w-full items-center gap-1.5 rounded-full border border-line-strong bg-surface py-0.5 pr-2 pl-3 text-ink text-xs hover:bg-sunken"
              >
                <span className="truncate">{chip}</span>
                <X aria-hidden className="size-3.5 shrink-0 text-ink-3" />
                <span className="sr-only">{t("chipRemove")}</span>
              </Link>
            </li>
          ))}
          {chips.length > 1 ? (
            <li>
              <Link
                href={PATH}
                scroll={false}
                className="inline-flex min-h-7 items-center rounded-full px-2 text-accent-ink text-xs hover:underline"
              >
                {t("clear")}
              </Link>
            </li>
          ) : null}
        </ul>
      ) : null}
      <ViewsBar ctx={ctx} path={PATH} given={list} />
      <Card className="mt-4 overflow-clip">
        <StatusTabs
          label={t("tabsLabel")}
          aside={<ColumnsLink path={PATH} given={list} />}
          tabs={TABS.map(({ wording, status }, index) => ({
            text: t(wording),
            count: <TabCount counts={counts} index={index} />,
            href: tabAddress(list, status),
            isHere: status.join() === chosen,
          }))}
        />
        <FraudNote kinds={providers} states={filters.status} canceledHref={tabAddress(list, CANCELED)} />
        <Suspense
          key={JSON.stringify(list)}
          fallback={
            <Patience>
              <PaymentListSkeleton />
            </Patience>
          }
        >
          <PaymentResults
            ctx={ctx}
            role={role}
            filters={filters}
            given={list}
            path={PATH}
            several={several}
            density={density}
            printed={{ account: account.name, filters: said.filters(list) }}
          />
        </Suspense>
      </Card>
      <ListKeys searchId={SEARCH_ID} />
      {isViewDialog(asked) ? (
        <ViewDialog asked={asked} ctx={ctx} path={PATH} given={list} several={several} said={said.filters} />
      ) : null}
    </>
  );
}

const MOST_ON_TAB = 1_000;

/** Comes after the page; a number that took too long is left out. */
function TabCount(props: { counts: Promise<(number | undefined)[]>; index: number }) {
  return (
    <Suspense fallback={null}>
      <Count {...props} />
    </Suspense>
  );
}

async function Count({ counts, index }: { counts: Promise<(number | undefined)[]>; index: number }) {
  const [all, format, t] = await Promise.all([counts, getFormatter(), getTranslations("payments")]);
  const count = all[index];
  if (count === undefined) return null;
  const text = format.number(Math.min(count, MOST_ON_TAB - 1));
  return (
    <span className="ml-1.5 font-normal text-ink-3 text-xs tabular-nums">
      {count >= MOST_ON_TAB ? t("tabMore", { count: text }) : text}
    </span>
  );
}

function tabAddress(given: GivenParameters, status: readonly string[]): string {
  const others = { ...given, status: [...status], after: undefined, before: undefined };
  return withParameters(PATH, others, {});
}

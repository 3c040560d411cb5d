import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { Suspense } from "react";
import { paymentFilters } from "@/app/(dashboard)/dashboard/payments/filters";
import { PaymentResults } from "@/app/(dashboard)/dashboard/payments/results";
import { paymentWords } from "@/app/(dashboard)/dashboard/payments/words";
import { type GivenParameters, oneOf, severalOf, withParameters } from "@/app/(dashboard)/list-url";
import { requireRight } from "@/app/(dashboard)/operator-context";
import { PaymentListSkeleton } from "@/components/charges/payment-list-skeleton";
import { StatusTabs } from "@/components/charges/status-tabs";
import { FilterForm } from "@/components/dashboard/filter-form";
import { ListKeys } from "@/components/dashboard/list-keys";
import { PageHead } from "@/components/dashboard/page-head";
import { Card } from "@/components/ui/card";
import { saoPauloDay } from "@/lib/brazil/bank-calendar";
import { PAYMENT_TYPES } from "@/lib/charges/methods";
import { merchantsToChoose } from "@/lib/charges/search";
import { now } from "@/lib/context";

const PATH = "/dashboard/payments";
const SEARCH_ID = "payment-search";

/** What people call things, and the states that are meant by it. */
const TABS = [
  { wording: "tabAll", status: [] },
  { wording: "tabPaid", status: ["authorized"] },
  { wording: "tabHeld", status: ["pre_authorized", "capture_pending"] },
  { wording: "tabPending", status: ["pending"] },
  { wording: "tabDeclined", status: ["failed"] },
  { wording: "tabRefunded", status: ["voided", "refund_pending"] },
  { wording: "tabCanceled", status: ["canceled"] },
  { wording: "tabDisputed", status: ["charged_back"] },
] as const;

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("payments");
  return { title: t("title") };
}

export default async function PaymentsPage({ searchParams }: { searchParams: Promise<GivenParameters> }) {
  const given = await searchParams;
  const { ctx, role } = await requireRight(withParameters(PATH, given, {}), "payments.see");
  const t = await getTranslations("payments");
  const words = await paymentWords();
  const merchants = await merchantsToChoose(ctx, role);
  const filters = paymentFilters(given, saoPauloDay(now(ctx)));
  const chosen = severalOf(given, "status").join();
  return (
    <>
      <PageHead title={t("title")} aside={t("zone")} />
      <FilterForm
        path={PATH}
        searchId={SEARCH_ID}
        search={oneOf(given, "q") ?? ""}
        kept={severalOf(given, "status").map((status) => ["status", status])}
        choices={[
          {
            name: "method",
            label: t("methodFilter"),
            chosen: oneOf(given, "method") ?? "",
            options: [
              { value: "", label: t("methodAll") },
              ...PAYMENT_TYPES.map((type) => ({ value: type, label: words.method(type) })),
            ],
          },
          {
            name: "period",
            label: t("periodFilter"),
            chosen: oneOf(given, "period") ?? "",
            options: [
              { value: "", label: t("periodAll") },
              { value: "today", label: t("periodToday") },
              { value: "7d", label: t("period7d") },
              { value: "30d", label: t("period30d") },
              { value: "90d", label: t("period90d") },
            ],
          },
          ...(merchants.length > 1
            ? [
                {
                  name: "merchant",
                  label: t("merchantFilter"),
                  chosen: oneOf(given, "merchant") ?? "",
                  options: [
                    { value: "", label: t("merchantAll") },
                    ...merchants.map(({ id, name }) => ({ value: id, label: name ?? id })),
                  ],
                },
              ]
            : []),
        ]}
        texts={{
          searchLabel: t("searchLabel"),
          searchPlaceholder: t("searchPlaceholder"),
          searchAction: t("searchAction"),
        }}
      />
      <Card className="mt-4 overflow-hidden">
        <StatusTabs
          label={t("tabsLabel")}
          tabs={TABS.map(({ wording, status }) => ({
            text: t(wording),
            href: tabAddress(given, status),
            isHere: status.join() === chosen,
          }))}
        />
        <Suspense key={JSON.stringify(given)} fallback={<PaymentListSkeleton />}>
          <PaymentResults
            ctx={ctx}
            role={role}
            filters={filters}
            given={given}
            path={PATH}
            withMerchant={merchants.length > 1}
          />
        </Suspense>
      </Card>
      <ListKeys searchId={SEARCH_ID} />
    </>
  );
}

function tabAddress(given: GivenParameters, status: readonly string[]): string {
  const others = { ...given, status: [...status], after: undefined, before: undefined };
  return withParameters(PATH, others, {});
}

import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { Suspense } from "react";
import { DASHBOARD } from "@/app/(auth)/return-path";
import { requireSignedIn } from "@/app/(auth)/signed-in";
import { ApprovalPanel } from "@/app/(dashboard)/dashboard/_home/approval-panel";
import { AttentionPanel } from "@/app/(dashboard)/dashboard/_home/attention-panel";
import { Barred } from "@/app/(dashboard)/dashboard/_home/barred";
import { FiguresPanel } from "@/app/(dashboard)/dashboard/_home/figures-panel";
import { HomeHead } from "@/app/(dashboard)/dashboard/_home/head";
import { MoneyPanel } from "@/app/(dashboard)/dashboard/_home/money-panel";
import { MonitorsPanel } from "@/app/(dashboard)/dashboard/_home/monitors-panel";
import { panel } from "@/app/(dashboard)/dashboard/_home/panel";
import { ProvidersPanel } from "@/app/(dashboard)/dashboard/_home/providers-panel";
import { spanOf, stretchAddress } from "@/app/(dashboard)/dashboard/_home/span";
import { Welcome } from "@/app/(dashboard)/dashboard/_home/welcome";
import type { GivenParameters } from "@/app/(dashboard)/list-url";
import { requireRight } from "@/app/(dashboard)/operator-context";
import { Refresher } from "@/components/insights/refresher";
import { Patience } from "@/components/ui/patience";
import { Skeleton } from "@/components/ui/skeleton";
import { merchantsToChoose } from "@/lib/charges/to-choose";
import { now } from "@/lib/context";
import { hasPayments } from "@/lib/insights/figures";
import { may } from "@/lib/operators/permissions";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("dashboard");
  return { title: t("home") };
}

const Waiting = ({ className }: { className: string }) => (
  <Patience>
    <Skeleton className={className} />
  </Patience>
);

export default async function HomePage({ searchParams }: { searchParams: Promise<GivenParameters> }) {
  const given = await searchParams;
  const { operator, account, accounts, barred } = await requireSignedIn(DASHBOARD);
  if (!account && barred.length > 0) return <Barred barred={barred} others={accounts} />;
  if (!account) return <Welcome name={operator.name} own={undefined} />;
  const { ctx, role } = await requireRight(DASHBOARD, "payments.see");
  const [isUsed, merchants] = await Promise.all([hasPayments(ctx), merchantsToChoose(ctx, role)]);
  if (!isUsed) {
    const own = { clientId: account.id, mode: account.mode, merchantId: merchants[0]?.id, role };
    return <Welcome name={operator.name} own={own} />;
  }
  const at = now(ctx);
  const { stretch, problem, span } = spanOf(given, at);
  // What is looked at, without what is open beside it: a sheet reloads nothing.
  const key = `${stretchAddress(stretch).join()} ${span.merchantId ?? ""}`;
  return (
    <>
      <HomeHead
        name={operator.name}
        path={DASHBOARD}
        given={given}
        stretch={stretch}
        problem={problem}
        merchants={merchants}
        merchantId={span.merchantId}
      />
      <div className="grid grid-cols-1 gap-5">
        <div className="max-sm:order-2 sm:order-1">
          <Suspense fallback={<Waiting className="h-12" />}>
            {panel("attention", () => AttentionPanel({ ctx }))}
          </Suspense>
        </div>
        <Suspense
          key={key}
          fallback={
            <div className="order-2">
              <Patience>
                <div className="grid gap-5">
                  <Skeleton className="h-28" />
                  <Skeleton className="h-80" />
                </div>
              </Patience>
            </div>
          }
        >
          {panel("figures", () => FiguresPanel({ ctx, role, span, stretch, given }))}
        </Suspense>
        {may(role, "payouts.see") ? (
          <div className="order-4">
            <Suspense fallback={<Waiting className="h-28" />}>
              {panel("payouts", () => MoneyPanel({ ctx, role, given }))}
            </Suspense>
          </div>
        ) : null}
        <Suspense key={`providers ${key}`} fallback={<Waiting className="order-5 h-40" />}>
          {panel("providers", () => ProvidersPanel({ ctx, role, merchantId: span.merchantId }))}
        </Suspense>
        <div className="order-6">
          <Suspense key={`approval ${key}`} fallback={<Waiting className="h-40" />}>
            {panel("approval", () => ApprovalPanel({ ctx, role, merchantId: span.merchantId }))}
          </Suspense>
        </div>
        {may(role, "monitors.see") ? (
          <div className="order-7">
            <Suspense fallback={<Waiting className="h-28" />}>
              {panel("monitors", () => MonitorsPanel({ ctx, role }))}
            </Suspense>
          </div>
        ) : null}
      </div>
      <Refresher />
    </>
  );
}

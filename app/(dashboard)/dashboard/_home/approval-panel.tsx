import { getFormatter, getTranslations } from "next-intl/server";
import { APPROVED } from "@/app/(dashboard)/dashboard/_home/why-figure";
import { paymentWords } from "@/app/(dashboard)/dashboard/payments/words";
import { DataList } from "@/components/dashboard/data-list";
import { kindName } from "@/components/merchants/provider-names";
import { Card, CardHeader } from "@/components/ui/card";
import type { Context } from "@/lib/context";
import { DEFAULT_TIME_ZONE, wallIn } from "@/lib/i18n/time-zones";
import { type ApprovalNow, approvalNow, type DecidedCounts, lastHour } from "@/lib/insights/approval-now";
import type { OperatorRole } from "@/lib/operators/sessions";

/** A rate of fewer payments than this says little. */
const ENOUGH = 30;
const POINTS = 100;
const GROUP_TEXTS = {
  total: "approvalTotal",
  method: "approvalMethod",
  provider: "approvalProvider",
  brand: "approvalBrand",
} as const satisfies Record<ApprovalNow["by"], string>;

interface ApprovalPanelProps {
  ctx: Context;
  role: OperatorRole;
  merchantId: string | undefined;
}

const countOf = ({ approved, declined }: DecidedCounts): number => approved + declined;

/** The rate of the last hour against the same hour of last week; few payments are grey, with their number. */
export async function ApprovalPanel({ ctx, role, merchantId }: ApprovalPanelProps) {
  const [t, words, format, rows] = await Promise.all([
    getTranslations("home"),
    paymentWords(),
    getFormatter(),
    approvalNow(ctx, role, merchantId),
  ]);
  const rate = (decided: DecidedCounts) => {
    const count = countOf(decided);
    if (count === 0) return <span className="text-ink-3">{t("noRate")}</span>;
    const percent = format.number(decided.approved / count, { style: "percent", maximumFractionDigits: 1 });
    return count < ENOUGH ? (
      <span className="text-ink-3">{t("approvalFew", { rate: percent, count })}</span>
    ) : (
      <span className="text-ink">{percent}</span>
    );
  };
  const change = ({ now: present, before }: ApprovalNow) => {
    if (countOf(present) < ENOUGH || countOf(before) < ENOUGH) return <span className="text-ink-3">{t("noRate")}</span>;
    const points = (present.approved / countOf(present) - before.approved / countOf(before)) * POINTS;
    const text = t("points", {
      points: format.number(points, { maximumFractionDigits: 1, signDisplay: "exceptZero" }),
    });
    return <span className={points < 0 ? "text-danger" : points > 0 ? "text-success" : "text-ink-2"}>{text}</span>;
  };
  const href = ({ by, name }: ApprovalNow): string | undefined => {
    const { from, until } = lastHour(ctx);
    const narrowed = {
      from: wallIn(DEFAULT_TIME_ZONE, from),
      to: wallIn(DEFAULT_TIME_ZONE, until),
      ...(merchantId ? { merchant: merchantId } : {}),
      ...(name ? { [by]: name } : {}),
    };
    const address = new URLSearchParams(narrowed);
    for (const status of [...APPROVED.status, "failed"]) address.append("status", status);
    return `/dashboard/payments?${address}`;
  };
  const nameOf = ({ by, name }: ApprovalNow): string =>
    by === "method" ? words.method(name) : by === "provider" ? kindName(name) : name;
  const shown = rows.filter((row) => countOf(row.now) + countOf(row.before) > 0);
  return (
    <Card className="overflow-hidden">
      <CardHeader title={t("approvalTitle")} description={shown.length === 0 ? t("approvalNone") : t("approvalText")} />
      {shown.length === 0 ? null : (
        <DataList
          caption={t("approvalTitle")}
          columns={[
            { key: "of", title: t("approvalOf") },
            { key: "now", title: t("approvalNow"), isNumeric: true },
            { key: "before", title: t("approvalBefore"), isNumeric: true },
            { key: "change", title: t("approvalChange"), isNumeric: true },
          ]}
          rows={shown.map((row) => ({
            id: `${row.by} ${row.name}`,
            href: href(row),
            cells: [t(GROUP_TEXTS[row.by], { name: nameOf(row) }), rate(row.now), rate(row.before), change(row)],
          }))}
        />
      )}
    </Card>
  );
}

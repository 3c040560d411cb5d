import Link from "next/link";
import { getTranslations } from "next-intl/server";
import { Fragment } from "react";
import type { Words } from "@/app/(dashboard)/dashboard/payments/[id]/sentences";
import { planNamer } from "@/app/(dashboard)/plan-names";
import { DataList } from "@/components/dashboard/data-list";
import { WhyLink } from "@/components/dashboard/why-link";
import { Badge } from "@/components/ui/badge";
import { Card, CardHeader } from "@/components/ui/card";
import { type SharedPart, sharedPartsOf } from "@/lib/charges/shared";
import type { Context } from "@/lib/context";
import { bpsToPercent } from "@/lib/money";
import type { OperatorRole } from "@/lib/operators/sessions";

interface SplitCardProps {
  ctx: Context;
  role: OperatorRole;
  chargeIds: readonly string[];
  words: Words;
  path: string;
}

/** What stays of a fee when the sale is refunded. */
const KEPT_TEXTS = { none: "keepsAll", mdr: "keepsFixed" } as const;

const SHORT_ID = 8;

/** Who gets what of the payment, on each of its cards, and which row of prices decided the fee. */
export async function SplitCard({ ctx, role, chargeIds, words: { money }, path }: SplitCardProps) {
  const [t, parts, nameOf] = await Promise.all([
    getTranslations("split"),
    sharedPartsOf(ctx, role, chargeIds),
    planNamer(),
  ]);
  if (parts.length === 0) return null;
  const asked = ({ percentageBps, amount }: SharedPart): string =>
    percentageBps === null ? money(amount ?? 0) : t("percent", { percent: bpsToPercent(percentageBps) });
  const why = (part: SharedPart, figure: "share" | "fee" | "net", cents: number) =>
    part.share === null ? (
      t("none")
    ) : (
      <WhyLink key={figure} href={`${path}?why=split.${figure}&of=${part.sellerId}&payment=${part.chargeId}`}>
        {money(cents)}
      </WhyLink>
    );
  const decided = (part: SharedPart) => {
    if (part.isPlatformFee) return t("byPlatform");
    if (!part.plan || !part.rate) return part.processing > 0 ? t("byRule") : t("noFee");
    const said = t(chargeIds.length > 1 ? "byPlanOfCard" : "byPlan", {
      plan: nameOf(part.plan),
      percent: bpsToPercent(part.rate.percentageBps),
      fixed: money(part.rate.fixedAmount),
    });
    const { refundable, fixedAmount } = part.rate;
    const isKept = part.refunded > 0 && (refundable === "none" || (refundable === "mdr" && fixedAmount > 0));
    const link = (
      <Link
        href={`/dashboard/sellers/plans/${part.plan.id}`}
        className="relative underline decoration-line underline-offset-2 hover:decoration-current"
      >
        {said}
      </Link>
    );
    if (!isKept) return link;
    return (
      <>
        {link}
        <span className="block">{t(KEPT_TEXTS[refundable], { fixed: money(fixedAmount) })}</span>
      </>
    );
  };
  return (
    <Card className="overflow-hidden">
      <CardHeader
        title={t("title")}
        description={parts.some(({ share }) => share === null) ? t("notYet") : t("text")}
      />
      <DataList
        caption={t("title")}
        columns={[
          { key: "seller", title: t("seller") },
          { key: "asked", title: t("rule") },
          { key: "share", title: t("share"), isNumeric: true },
          { key: "fee", title: t("fees"), isNumeric: true },
          { key: "net", title: t("net"), isNumeric: true },
        ]}
        rows={parts.map((part) => ({
          id: `${part.chargeId} ${part.sellerId}`,
          href: `/dashboard/sellers/${part.sellerId}`,
          cells: [
            <Fragment key="seller">
              {part.name ?? t("unnamed", { id: part.sellerId.slice(-SHORT_ID) })}
              {chargeIds.length > 1 ? (
                <span className="block font-normal text-ink-3 text-xs">
                  {t("card", { number: chargeIds.indexOf(part.chargeId) + 1 })}
                </span>
              ) : null}
            </Fragment>,
            <span key="asked" className="inline-flex flex-wrap items-center gap-1.5 md:whitespace-normal">
              {asked(part)}
              {part.liable ? <Badge tone="neutral">{t("liable")}</Badge> : null}
              {part.bearsFee ? <Badge tone="neutral">{t("paysFee")}</Badge> : null}
              <span className="basis-full text-ink-3 text-xs">{decided(part)}</span>
            </span>,
            why(part, "share", part.share ?? 0),
            why(part, "fee", part.processing + part.fares),
            why(part, "net", (part.share ?? 0) - part.processing - part.fares),
          ],
        }))}
      />
    </Card>
  );
}

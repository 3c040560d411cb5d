import { CircleCheck, CircleDashed, Clock, Lock, type LucideIcon } from "lucide-react";
import { getFormatter, getLocale, getTranslations } from "next-intl/server";
import type { ComponentProps } from "react";
import { PAYOUTS } from "@/app/(dashboard)/dashboard/payouts/words";
import type { Badge } from "@/components/ui/badge";
import { formatCents } from "@/components/ui/money-format";
import type { PrepaymentStatus } from "@/db/schema/prepayments";
import { noonOf } from "@/lib/brazil/bank-calendar";
import { effectiveRate, FULL_BPS } from "@/lib/money";

export const PREPAYMENTS = `${PAYOUTS}/prepayments`;

type Look = { icon: LucideIcon; tone: ComponentProps<typeof Badge>["tone"] };

export const PREPAYMENT_LOOKS: Record<PrepaymentStatus, Look> = {
  pending: { icon: CircleDashed, tone: "info" },
  committed: { icon: Lock, tone: "warning" },
  paid: { icon: CircleCheck, tone: "success" },
  expired: { icon: Clock, tone: "neutral" },
};
export const PREPAYMENT_TEXTS = {
  pending: "statusPending",
  committed: "statusCommitted",
  paid: "statusPaid",
  expired: "statusExpired",
} as const satisfies Record<PrepaymentStatus, string>;

export async function prepaymentWords() {
  const [t, format, locale] = await Promise.all([getTranslations("prepayments"), getFormatter(), getLocale()]);
  const percent = new Intl.NumberFormat(locale, {
    style: "percent",
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  });
  return {
    t,
    money: (cents: number): string => formatCents(cents, "BRL", locale),
    day: (day: string): string => format.dateTime(noonOf(day), { dateStyle: "medium" }),
    moment: (at: Date): string =>
      format.dateTime(at, { dateStyle: "medium", timeStyle: "short", timeZone: "America/Sao_Paulo" }),
    rate: (bps: number): string => percent.format(bps / FULL_BPS),
    /** Of what is paid early, the part that it costs. */
    cost: (gross: number, net: number): string => percent.format(effectiveRate(gross, gross - net)),
  };
}

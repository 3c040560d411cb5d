import { getTranslations } from "next-intl/server";
import type { Words } from "@/app/(dashboard)/dashboard/payments/[id]/sentences";
import { WhyLink } from "@/components/dashboard/why-link";
import { Card, CardHeader } from "@/components/ui/card";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table";
import { type SettlementLine, settlementOf } from "@/lib/charges/settlement";
import type { Context } from "@/lib/context";
import type { OperatorRole } from "@/lib/operators/sessions";

interface SettlementCardProps {
  ctx: Context;
  role: OperatorRole;
  chargeIds: readonly string[];
  words: Words;
  path: string;
}

const TYPES = {
  credit: "settleCredit",
  refund: "settleRefund",
  refund_reversal: "settleRefundReversal",
  chargeback: "settleChargeback",
  chargeback_refund: "settleChargebackRefund",
} as const satisfies Record<SettlementLine["type"], string>;

/** What is left after fees, for whom and when it can be used. */
export async function SettlementCard({ ctx, role, chargeIds, words: { format, money }, path }: SettlementCardProps) {
  const [t, settlement] = await Promise.all([getTranslations("payments"), settlementOf(ctx, role, chargeIds)]);
  if (settlement === undefined || settlement.count === 0) return null;
  const { lines, count, net, fee } = settlement;
  const hasSellers = lines.some(({ sellerId }) => sellerId !== null);
  // A bank day has no hour: noon is within it everywhere.
  const day = (date: string) =>
    format.dateTime(new Date(`${date}T12:00:00-03:00`), { day: "numeric", month: "short", year: "numeric" });
  const what = (line: SettlementLine): string =>
    line.type === "credit" && line.installment !== null && line.installments > 1
      ? t("settleInstallment", { number: line.installment, count: line.installments })
      : t(TYPES[line.type]);
  const whose = ({ sellerId, sellerName }: SettlementLine): string =>
    sellerId === null ? t("settleMerchant") : (sellerName ?? t("settleSeller", { id: sellerId.slice(-SHORT_ID) }));
  return (
    <Card className="overflow-hidden">
      <CardHeader
        title={t("settleTitle")}
        description={t.rich("settleText", {
          netAmount: money(net),
          feeAmount: money(fee),
          net: (text) => <WhyLink href={`${path}?why=settlement.net`}>{text}</WhyLink>,
          fee: (text) => <WhyLink href={`${path}?why=settlement.fees`}>{text}</WhyLink>,
        })}
      />
      <Table caption={t("settleTitle")}>
        <TableHead>
          <tr>
            <TableHeader className="pl-5">{t("settleDate")}</TableHeader>
            <TableHeader className="max-sm:hidden">{t("settleWhat")}</TableHeader>
            {hasSellers ? <TableHeader className="max-sm:hidden">{t("settleFor")}</TableHeader> : null}
            <TableHeader isNumeric className="max-sm:hidden">
              {t("settleGross")}
            </TableHeader>
            <TableHeader isNumeric>{t("settleFee")}</TableHeader>
            <TableHeader isNumeric className="pr-5">
              {t("settleNet")}
            </TableHeader>
          </tr>
        </TableHead>
        <TableBody>
          {lines.map((line) => (
            <TableRow key={line.id}>
              <TableCell className="py-2 pl-5 sm:whitespace-nowrap">
                {day(line.paymentDate)}
                <span className="block text-ink-2 text-xs sm:hidden">
                  {hasSellers ? `${what(line)} · ${whose(line)}` : what(line)}
                </span>
              </TableCell>
              <TableCell className="py-2 text-ink-2 max-sm:hidden">{what(line)}</TableCell>
              {hasSellers ? <TableCell className="py-2 text-ink-2 max-sm:hidden">{whose(line)}</TableCell> : null}
              <TableCell isNumeric className="py-2 max-sm:hidden">
                {money(line.gross)}
              </TableCell>
              <TableCell isNumeric className="py-2 text-ink-2">
                {line.fee === 0 ? (
                  money(line.fee)
                ) : (
                  <WhyLink href={`${path}?why=receivable.totalFee&part=${line.id}`}>{money(line.fee)}</WhyLink>
                )}
              </TableCell>
              <TableCell isNumeric className="py-2 pr-5">
                <WhyLink href={`${path}?why=receivable.net&part=${line.id}`}>{money(line.net)}</WhyLink>
              </TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
      {count > lines.length ? (
        <p className="border-line border-t px-5 py-3 text-ink-3 text-xs">
          {t("settleMore", { shown: lines.length, count })}
        </p>
      ) : null}
    </Card>
  );
}

const SHORT_ID = 8;

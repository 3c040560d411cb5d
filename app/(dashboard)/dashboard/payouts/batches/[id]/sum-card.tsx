import Link from "next/link";
import { getTranslations } from "next-intl/server";
import { CREDITS } from "@/app/(dashboard)/dashboard/finance/words";
import { PART_TEXTS, payoutWords } from "@/app/(dashboard)/dashboard/payouts/words";
import { type GivenParameters, withParameters } from "@/app/(dashboard)/list-url";
import { WhyLink } from "@/components/dashboard/why-link";
import { Card, CardHeader } from "@/components/ui/card";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table";
import type { LineType } from "@/db/schema/payouts";
import type { FigureName } from "@/lib/explanations/names";
import type { BatchOverview, BatchPart } from "@/lib/finance/batch";
import { sumOf } from "@/lib/money";
import { may } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";

/** The field of a batch that a kind of line stands in. */
const FIELD_OF = {
  credit: "amount",
  fee: "feeAmount",
  refund: "refundAmount",
  chargeback: "refundAmount",
  adjustment: "creditAdjustmentAmount",
  manual_credit: "creditAmount",
  carried: "balanceAmount",
  withdrawal: "withdrawalFeeAmount",
} as const satisfies Record<LineType, keyof BatchOverview["row"]>;

interface SumCardProps {
  overview: Pick<BatchOverview, "row" | "parts" | "sum">;
  role: OperatorRole;
  path: string;
  given: GivenParameters;
}

/** Every kind of line with its sum, and under them what is sent: one is the other, or the page says that it is not. */
export async function SumCard({ overview: { row, parts, sum }, role, path, given }: SumCardProps) {
  const [t, { money }] = await Promise.all([getTranslations("payouts"), payoutWords()]);
  const count = sumOf(parts.map((part) => part.count));
  if (sum !== row.finalBalance) {
    return (
      <Card>
        <CardHeader title={t("sum")} />
        <p role="alert" className="bg-danger-soft px-5 py-4 text-danger text-sm">
          {t("sumBroken", { sum: money(sum), final: money(row.finalBalance) })}
        </p>
      </Card>
    );
  }
  return (
    <Card className="overflow-hidden">
      <CardHeader title={t("sum")} description={t("sumText", { count })} />
      <Table caption={t("sum")}>
        <TableHead>
          <tr>
            <TableHeader className="pl-5">{t("part")}</TableHeader>
            <TableHeader isNumeric>{t("lineCount")}</TableHeader>
            <TableHeader isNumeric className="pr-5">
              {t("amount")}
            </TableHeader>
          </tr>
        </TableHead>
        <TableBody>
          {parts.map((part) => {
            const figure = figureOf(row, part);
            return (
              <TableRow key={part.type} className="relative">
                <TableCell className="py-2.5 pl-5">
                  <Link
                    href={`${path}?type=${part.type}#lines`}
                    className="rounded-sm outline-none after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:outline-focus focus-visible:after:-outline-offset-2"
                  >
                    {t(PART_TEXTS[part.type])}
                  </Link>
                </TableCell>
                <TableCell isNumeric className="py-2.5 text-ink-2">
                  {part.count}
                </TableCell>
                <TableCell isNumeric className="whitespace-nowrap py-2.5 pr-5">
                  {figure ? (
                    <WhyLink href={withParameters(path, given, { why: figure })}>{money(part.amount)}</WhyLink>
                  ) : (
                    money(part.amount)
                  )}
                </TableCell>
              </TableRow>
            );
          })}
          <TableRow className="border-line-strong border-t-2 font-semibold">
            <TableCell className="py-3 pl-5">{t(totalOf(row))}</TableCell>
            <TableCell isNumeric className="py-3">
              {count}
            </TableCell>
            <TableCell isNumeric className="whitespace-nowrap py-3 pr-5">
              <WhyLink href={withParameters(path, given, { why: "batch.finalBalance" })}>{money(sum)}</WhyLink>
            </TableCell>
          </TableRow>
        </TableBody>
      </Table>
      {row.sellerId === null && row.finalBalance > 0 ? <BeforeCost row={row} role={role} /> : null}
    </Card>
  );
}

const totalOf = ({ finalBalance, sellerId }: BatchOverview["row"]) =>
  finalBalance <= 0 ? "sumOffset" : sellerId === null ? "sumOwn" : "sumSent";

/** Of the account's own: its acquirer pays less than this, and the bank credits say how much. */
async function BeforeCost({ row, role }: Pick<BatchOverview, "row"> & { role: OperatorRole }) {
  const t = await getTranslations("payouts");
  return (
    <p className="border-line border-t px-5 py-3 text-ink-2 text-sm">
      {t("sumOwnText")}{" "}
      {may(role, "finance.see") ? (
        <Link
          className="text-accent-ink underline underline-offset-4"
          href={`${CREDITS}?until=${row.payoutDate ?? row.paymentDate}`}
        >
          {t("sumOwnCredits")}
        </Link>
      ) : null}
    </p>
  );
}

/** None where the field says another amount: refunds and chargebacks share one, and adjustments have one of each sign. */
function figureOf(row: BatchOverview["row"], { type, amount }: BatchPart): FigureName | undefined {
  const field = type === "adjustment" && amount < 0 ? "debitAdjustmentAmount" : FIELD_OF[type];
  return row[field] === Math.abs(amount) || row[field] === amount ? `batch.${field}` : undefined;
}

import { getTranslations } from "next-intl/server";
import {
  PAYOUT_FILES,
  payoutWords,
  REASON_TEXTS,
  TRANSFER_LOOKS,
  TRANSFER_TEXTS,
} from "@/app/(dashboard)/dashboard/payouts/words";
import { Facts } from "@/components/dashboard/facts";
import { Badge } from "@/components/ui/badge";
import { Card, CardHeader } from "@/components/ui/card";
import { CopyButton } from "@/components/ui/copy-button";
import type { SellerBankAccount } from "@/db/schema/sellers";
import type { BatchOverview } from "@/lib/finance/batch";
import { may } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";
import { findBank } from "@/lib/reference/banks";

const RAIL_TEXTS = { sandbox: "railSandbox", file: "railFile", none: "railNone" } as const;
const LAST = 4;

/** One order to a bank, and what became of it; of the account the last digits. */
export async function TransferCard({
  overview: { row, transfer, holder },
  role,
}: {
  overview: BatchOverview;
  role: OperatorRole;
}) {
  const [t, { moment, day }] = await Promise.all([getTranslations("payouts"), payoutWords()]);
  if (!transfer) {
    return (
      <Card>
        <CardHeader title={t("transfer")} />
        <p className="px-5 py-4 text-ink-2 text-sm">{row.sellerId === null ? t("transferOwn") : t("transferNone")}</p>
      </Card>
    );
  }
  const { account, method } = transfer.destination;
  const steps = [
    { name: t("stepCreated"), at: moment(transfer.createdAt) },
    ...(transfer.attemptedAt ? [{ name: t("stepTold"), at: moment(transfer.attemptedAt) }] : []),
    ...(transfer.sentOn ? [{ name: t("stepSent"), at: day(transfer.sentOn) }] : []),
    ...(transfer.settledAt ? [{ name: t("stepSettled"), at: moment(transfer.settledAt) }] : []),
    ...(transfer.status === "failed" ? [{ name: t("stepFailed"), at: moment(transfer.updatedAt) }] : []),
    ...(transfer.returnedAt ? [{ name: t("stepReturned"), at: moment(transfer.returnedAt) }] : []),
  ];
  return (
    <Card className="overflow-hidden">
      <CardHeader
        title={t("transfer")}
        actions={<Badge {...TRANSFER_LOOKS[transfer.status]}>{t(TRANSFER_TEXTS[transfer.status])}</Badge>}
      />
      {transfer.reason ? (
        <p className="border-line border-b bg-danger-soft px-5 py-3 text-danger text-sm">
          {t(REASON_TEXTS[transfer.reason])}
        </p>
      ) : null}
      <Facts
        facts={[
          { name: t("account"), value: shortAccount(account) },
          { name: t("holder"), value: holder || t("none") },
          { name: t("method"), value: method === "pix" ? t("byPix") : t("byTed") },
          { name: t("rail"), value: t(RAIL_TEXTS[transfer.rail]) },
          {
            name: t("reference"),
            value: (
              <span className="flex items-center gap-1">
                <span className="break-all font-mono text-xs">{transfer.reference}</span>
                <CopyButton text={transfer.reference} label={t("copyReference")} />
              </span>
            ),
          },
          ...(transfer.fileNumber
            ? [
                {
                  name: t("filesFile"),
                  value: (
                    <a
                      className="font-mono text-accent-ink text-xs underline underline-offset-4"
                      href={may(role, "payouts.mark") ? `${PAYOUT_FILES}/${transfer.fileId}` : PAYOUT_FILES}
                    >
                      {transfer.fileNumber}
                    </a>
                  ),
                },
              ]
            : []),
          ...(transfer.bankReference ? [{ name: t("bankReference"), value: transfer.bankReference }] : []),
          ...(transfer.queries > 0
            ? [{ name: t("queries"), value: t("queriesText", { count: transfer.queries }) }]
            : []),
        ]}
      />
      <ol aria-label={t("steps")} className="grid gap-2 border-line border-t px-5 py-4 text-sm">
        {steps.map(({ name, at }) => (
          <li key={name} className="flex justify-between gap-4">
            <span className="text-ink">{name}</span>
            <span className="text-right text-ink-2 tabular-nums">{at}</span>
          </li>
        ))}
      </ol>
    </Card>
  );
}

function shortAccount({ bank, ispb, branchNumber, accountNumber }: SellerBankAccount): string {
  const name = (bank ? findBank(bank)?.name : undefined) ?? bank ?? ispb ?? "";
  return [name, branchNumber, `•••${accountNumber.slice(-LAST)}`].filter(Boolean).join(" · ");
}

import { getTranslations } from "next-intl/server";
import { BREAKS } from "@/app/(dashboard)/dashboard/finance/words";
import { BATCHES, PAYOUT_FILES, PAYOUT_RETURNS, payoutWords } from "@/app/(dashboard)/dashboard/payouts/words";
import { DataList } from "@/components/dashboard/data-list";
import { Card, CardHeader } from "@/components/ui/card";
import type { ProposalKind } from "@/db/schema/proposals";
import type { Context } from "@/lib/context";
import { type WaitingDecision, waitingDecisions } from "@/lib/finance/waiting";
import type { OperatorRole } from "@/lib/operators/sessions";

const TEXTS = {
  payout_paid: "waitingPaid",
  payout_failed: "waitingFailed",
  payout_returned: "waitingReturned",
  payout_file: "waitingFile",
  payout_return: "waitingReturn",
  break_closed: "waitingBreak",
  adjustment: "waitingAdjustment",
} as const satisfies Record<ProposalKind, string>;

const PAGES: Record<ProposalKind, (subjectId: string) => string> = {
  payout_paid: (id) => `${BATCHES}/${id}`,
  payout_failed: (id) => `${BATCHES}/${id}`,
  payout_returned: (id) => `${BATCHES}/${id}`,
  payout_file: () => PAYOUT_FILES,
  payout_return: (id) => `${PAYOUT_RETURNS}/${id}`,
  break_closed: (id) => `${BREAKS}/${id}`,
  adjustment: (id) => `/dashboard/sellers/${id}`,
};

interface WaitingCardProps {
  ctx: Context;
  role: OperatorRole;
  kinds: readonly ProposalKind[];
}

/** What somebody asked for and a colleague has to approve, each with the page where it is decided; nothing while there is none. */
export async function WaitingCard({ ctx, role, kinds }: WaitingCardProps) {
  const waiting = await waitingDecisions(ctx, role, kinds);
  if (waiting.length === 0) return null;
  const [t, { money, moment }] = await Promise.all([getTranslations("payouts"), payoutWords()]);
  const who = ({ isOwn, who: name }: WaitingDecision): string =>
    isOwn ? t("waitingYou") : (name ?? t("markSomebody"));
  return (
    <Card className="mb-5 overflow-hidden">
      <CardHeader title={t("waitingTitle")} description={t("waitingText")} />
      <DataList
        caption={t("waitingTitle")}
        columns={[
          { key: "what", title: t("waitingWhat") },
          { key: "who", title: t("waitingWho") },
          { key: "until", title: t("waitingUntil"), isNumeric: true },
          { key: "amount", title: t("amount"), isNumeric: true },
        ]}
        rows={waiting.map((each) => ({
          id: each.id,
          href: PAGES[each.kind](each.subjectId),
          cells: [
            <span key="what" className="grid">
              <span className="truncate">{t(TEXTS[each.kind])}</span>
              <span className="truncate text-ink-3 text-xs">{each.about}</span>
            </span>,
            who(each),
            moment(each.until),
            each.amount === undefined ? t("none") : money(each.amount),
          ],
        }))}
      />
    </Card>
  );
}

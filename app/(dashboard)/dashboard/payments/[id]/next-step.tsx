import Link from "next/link";
import { getFormatter, getLocale, getTranslations } from "next-intl/server";
import { linkWords } from "@/app/(dashboard)/dashboard/links/words";
import { declineStep } from "@/app/(dashboard)/dashboard/payments/[id]/decline-words";
import { whoActed } from "@/app/(dashboard)/dashboard/payments/[id]/panels";
import { momentText } from "@/app/(dashboard)/dashboard/payments/[id]/sentences";
import { LinkButton } from "@/components/ui/link-button";
import { formatCents } from "@/components/ui/money-format";
import { refusalByAnalysis } from "@/lib/charges/history";
import { refundable } from "@/lib/charges/operator-actions";
import type { PaymentOverview } from "@/lib/charges/overview";
import { sharedPartsOf } from "@/lib/charges/shared";
import { type Context, now } from "@/lib/context";
import { isDispute } from "@/lib/disputes/queries";
import { may } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";
import { newLinksFor } from "@/lib/purchases/new-links";
import { linkStateOf } from "@/lib/sessions/state";

interface NextStepProps {
  ctx: Context;
  role: OperatorRole;
  /** Of the payment, or of the purchase. */
  id: string;
  merchantId: string;
  /** Those that were declined. */
  payments: readonly PaymentOverview[];
}

/** Of a declined payment: what can be done about it, the way there, and what somebody did already. */
export async function NextStep({ ctx, role, id, merchantId, payments }: NextStepProps) {
  const [t, format, stateOf, links] = await Promise.all([
    getTranslations("payments"),
    getFormatter(),
    linkWords(),
    newLinksFor(ctx, id),
  ]);
  const [declined] = payments.flatMap(
    (payment) =>
      refusalByAnalysis(payment) ?? payment.attempts.find(({ providerError }) => providerError !== null) ?? [],
  );
  const { text, isLinkUseful } = await declineStep(declined);
  const who = await whoActed(
    ctx,
    links.map(({ act }) => act),
  );
  return (
    <div className="mt-5 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg border border-line bg-surface px-4 py-3 text-sm">
      <div className="min-w-0 flex-1 basis-64">
        <p className="font-medium text-ink">{t("stepTitle")}</p>
        <p className="text-ink-2">{text}</p>
        {links.map(({ act, session }) => (
          <p key={session.id} className="mt-1 text-ink-2">
            <Link href={`/dashboard/links/${session.id}?for=${id}`} className="text-accent-ink underline">
              {t("stepLinkMade", { date: momentText({ format, money: String }, act.at) })}
            </Link>{" "}
            {t("stepLinkBy", { who: who(act), state: stateOf(linkStateOf(session, now(ctx))) })}
          </p>
        ))}
      </div>
      {isLinkUseful && may(role, "links.edit") ? (
        <LinkButton href={`/dashboard/links/new?for=${id}`} size="sm">
          {t(links.length > 0 ? "stepLinkAgain" : "stepLink")}
        </LinkButton>
      ) : null}
      {!isLinkUseful && may(role, "merchants.see") ? (
        <LinkButton href={`/dashboard/merchants/${merchantId}`} size="sm">
          {t("stepMerchant")}
        </LinkButton>
      ) : null}
    </div>
  );
}

interface BoletoStepProps {
  ctx: Context;
  role: OperatorRole;
  payment: PaymentOverview;
}

/** Of a paid boleto: why it has no refund, and what is done instead (spec/contract.md 2.4, refund_not_supported). */
export async function BoletoStep({ ctx, role, payment: { row } }: BoletoStepProps) {
  const isPaid = row.paymentType === "boleto" && row.status === "authorized" && refundable(row) > 0;
  if (!isPaid || !may(role, "payments.refund")) return null;
  const [t, locale, parts] = await Promise.all([
    getTranslations("payments"),
    getLocale(),
    may(role, "sellers.see") ? sharedPartsOf(ctx, role, [row.id]) : [],
  ]);
  return (
    <div className="mt-5 rounded-lg border border-line bg-surface px-4 py-3 text-sm">
      <p className="font-medium text-ink">{t("stepBoletoTitle")}</p>
      <p className="text-ink-2">{t("stepBoleto", { amount: formatCents(refundable(row), row.currency, locale) })}</p>
      {parts.length > 0 ? (
        <p className="mt-1 flex flex-wrap gap-x-3 text-ink-2">
          {t("stepBoletoShared")}
          {parts.map(({ sellerId, name }) => (
            <Link key={sellerId} href={`/dashboard/sellers/${sellerId}`} className="text-accent-ink underline">
              {name ?? t("settleSeller", { id: sellerId.slice(-SHORT_ID) })}
            </Link>
          ))}
        </p>
      ) : null}
    </div>
  );
}

interface DisputeStepProps {
  role: OperatorRole;
  payment: PaymentOverview;
  /** Of a card among several: which, from 1 on. */
  card?: number;
}

/** Of a disputed payment: why nothing of it is refunded, and what is done instead. */
export async function DisputeStep({ role, payment: { row, attempts }, card }: DisputeStepProps) {
  if (row.status !== "charged_back" || row.chargedBackAmount === 0 || !may(role, "payments.refund")) return null;
  const [t, locale] = await Promise.all([getTranslations("payments"), getLocale()]);
  const money = (cents: number) => formatCents(cents, row.currency, locale);
  const left = refundable(row) - row.chargedBackAmount;
  const dispute = may(role, "disputes.see") ? attempts.findLast((notice) => isDispute(row, notice)) : undefined;
  return (
    <div className="mt-5 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg border border-line bg-surface px-4 py-3 text-sm">
      <div className="min-w-0 flex-1 basis-64">
        <p className="font-medium text-ink">
          {card === undefined ? t("stepDisputeTitle") : t("stepDisputeCard", { number: card })}
        </p>
        <p className="text-ink-2">
          {left > 0
            ? t("stepDispute", { disputed: money(row.chargedBackAmount), left: money(left) })
            : t("stepDisputeAll")}
        </p>
      </div>
      {dispute ? (
        <LinkButton href={`/dashboard/disputes/${dispute.id}`} size="sm">
          {t("stepDisputeOpen")}
        </LinkButton>
      ) : null}
    </div>
  );
}

const SHORT_ID = 8;

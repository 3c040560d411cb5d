import { brandOf, declineOf } from "@/lib/providers/adyen/answers";
import { accountOf } from "@/lib/providers/adyen/call";
import { type KeptNews, keptNews } from "@/lib/providers/adyen/wire";
import type { ProviderEvent } from "@/lib/providers/notification";
import type {
  CallContext,
  FoundTransaction,
  ProviderOperation,
  ProviderRefund,
  ProviderState,
  QueryInput,
  QueryResult,
} from "@/lib/providers/provider";

type News = KeptNews & { at: string };

const CREATIONS: readonly ProviderOperation[] = ["authorize", "pix", "boleto"];
/** Paid by the buyer: what is authorized of them is taken. */
const PAID_OPEN: readonly ProviderOperation[] = ["pix", "boleto", "cancel_open"];

/**
 * Adyen can be asked nothing: what it told by itself is all there is. Only the signed members of that decide, in whatever
 * order they came.
 */
export async function query(call: CallContext, { providerTxId }: QueryInput): Promise<QueryResult> {
  const account = accountOf(call);
  const news = (await call.evidence()).flatMap(newsOf).filter((one) => one.merchantAccountCode === account);
  const { operation, providerReference } = call.ref;
  const isCreation = CREATIONS.includes(operation);
  const about = isCreation ? news : news.filter((one) => isAnswer(one, news, providerReference, operation));
  if (about.length === 0) return { kind: "not_found_yet" };
  const isOpen = PAID_OPEN.includes(operation);
  const ids = [...new Set(news.map(paymentOf))];
  const payments = ids.map((id) =>
    fold(
      news.filter((one) => paymentOf(one) === id),
      id,
      isOpen,
    ),
  );
  const own = payments.find((one) => one.providerTxId === providerTxId) ?? payments[0];
  if (!own) return { kind: "not_found_yet" };
  // A change of it was told of, and the payment itself not: what the other notifications say of it is not whole.
  if (isCreation && own.state === "pending") return { kind: "not_found_yet" };
  const duplicates = payments.filter((one) => one !== own && isLive(one)).map((one) => one.providerTxId);
  const declined = news.findLast(
    (one) => paymentOf(one) === own.providerTxId && one.eventCode === "AUTHORISATION" && !one.success,
  );
  const refused = isCreation ? undefined : about.find(isRefusal);
  return {
    ...own,
    duplicates,
    ...(declined && own.state === "declined"
      ? {
          decline: declineOf(
            {
              refusalReasonRaw: declined.refusalReasonRaw ?? null,
              merchantAdviceCode: declined.merchantAdviceCode ?? null,
              words: declined.reason,
            },
            brandOf(declined.brand),
            false,
            call.clock.now(),
          ),
        }
      : {}),
    ...(refused ? { refused: { reason: refused.reason ?? refused.eventCode } } : {}),
  };
}

function newsOf({ raw, occurredAt }: ProviderEvent): News[] {
  const parsed = keptNews.safeParse(raw.body);
  return parsed.success ? [{ ...parsed.data, at: occurredAt }] : [];
}

const paymentOf = ({ originalReference, pspReference }: News): string => originalReference ?? pspReference;
const isLive = ({ state }: FoundTransaction): boolean => state === "pre_authorized" || state === "authorized";

/** The end of a payment answers every change that was asked of it; a slip that was paid answers its cancel. */
const ENDS: ReadonlySet<string> = new Set(["EXPIRE", "OFFER_CLOSED"]);

/**
 * A later word on a change has its number, and may have the payment's reference. A refund has no answer in the end of a hold:
 * what was not taken may end, and what was taken be given back.
 */
function isAnswer(one: News, all: readonly News[], reference: string, operation: ProviderOperation): boolean {
  if (one.merchantReference === reference) return true;
  if (ENDS.has(one.eventCode)) return operation !== "refund";
  if (operation === "cancel_open" && one.eventCode === "AUTHORISATION" && one.success) return true;
  return all.some((other) => other.merchantReference === reference && other.pspReference === one.pspReference);
}

/** Of a refund its own list says how it ended. */
const isRefusal = ({ eventCode, success }: News): boolean =>
  eventCode === "CAPTURE_FAILED" || (!success && !eventCode.startsWith("REFUND"));

function fold(news: readonly News[], providerTxId: string, isOpen: boolean): FoundTransaction {
  const done = (...codes: string[]) => news.filter(({ eventCode, success }) => success && codes.includes(eventCode));
  const [approval] = done("AUTHORISATION");
  const isDeclined = !approval && news.some(({ eventCode }) => eventCode === "AUTHORISATION");
  const failed = new Set(done("CAPTURE_FAILED").map(({ pspReference }) => pspReference));
  const capture = done("CAPTURE").find(({ pspReference }) => !failed.has(pspReference));
  const captured = isOpen ? (approval?.amount ?? 0) : (capture?.amount ?? 0);
  const [undone] = done("CAPTURE_FAILED").filter((one) =>
    done("CAPTURE").some(({ pspReference }) => pspReference === one.pspReference),
  );
  const refunds = refundsOf(news, captured);
  const refunded = refunds.filter(({ status }) => status === "done").reduce((sum, { amount }) => sum + amount, 0);
  const taken = done("CHARGEBACK", "SECOND_CHARGEBACK", "PREARBITRATION_LOST");
  const chargedBack =
    taken.length > done("CHARGEBACK_REVERSED", "PREARBITRATION_WON").length ? (taken.at(-1)?.amount ?? 0) : 0;
  const reason = chargedBack > 0 ? taken.findLast((one) => one.chargebackReasonCode)?.chargebackReasonCode : undefined;
  const first = approval ?? news[0];
  const state = stateOf({
    isCanceled: captured === 0 && done("CANCELLATION", "TECHNICAL_CANCEL", "CANCEL_OR_REFUND").length > 0,
    isExpired: captured === 0 && done("EXPIRE", "OFFER_CLOSED").length > 0,
    isDeclined,
    isApproved: approval !== undefined,
    isOpen,
    captured,
    refunded,
    chargedBack,
  });
  return {
    kind: "found",
    providerTxId,
    state,
    authorized: approval?.amount ?? 0,
    captured,
    refunded,
    chargedBack,
    ...(reason ? { disputeReason: reason } : {}),
    currency: first?.currency ?? "",
    reference:
      (approval ?? news.find(({ eventCode }) => eventCode === "AUTHORISATION") ?? first)?.merchantReference ?? "",
    duplicates: [],
    refunds,
    ...(undone && captured === 0
      ? { captureFailed: { captureId: undone.pspReference, reason: undone.reason ?? undone.eventCode } }
      : {}),
    payments:
      isOpen && approval
        ? [{ paymentId: approval.pspReference, amount: approval.amount, paidAt: approval.at, surplus: false }]
        : [],
    ...(approval?.authCode ? { authCode: approval.authCode } : {}),
    // Not signed, as nothing beside the eight members is: no money moves to anybody by it.
    ...(approval?.liabilityShift === undefined ? {} : { liabilityShift: approval.liabilityShift }),
    raw: { headers: {}, body: { events: news.map(({ eventCode, success }) => ({ eventCode, success })) } },
  };
}

interface Facts {
  isCanceled: boolean;
  isExpired: boolean;
  isDeclined: boolean;
  isApproved: boolean;
  isOpen: boolean;
  captured: number;
  refunded: number;
  chargedBack: number;
}

function stateOf(facts: Facts): ProviderState {
  if (facts.isCanceled) return facts.isOpen ? "canceled" : "voided";
  if (facts.isExpired) return "expired";
  if (facts.isDeclined) return "declined";
  if (facts.chargedBack > 0) return "charged_back";
  if (facts.captured > 0 && facts.refunded >= facts.captured) return "refunded";
  if (facts.captured > 0) return "authorized";
  return facts.isApproved ? "pre_authorized" : "pending";
}

/** Money that a refund took and gave back again. */
const GIVEN_BACK: ReadonlySet<string> = new Set(["REFUND_FAILED", "REFUNDED_REVERSED"]);

/** The last word on each refund: one that failed after it was done has failed. */
function refundsOf(news: readonly News[], captured: number): ProviderRefund[] {
  const refunds = new Map<string, ProviderRefund>();
  const failed = new Set(news.filter((one) => GIVEN_BACK.has(one.eventCode)).map(({ pspReference }) => pspReference));
  for (const one of news) {
    const isRefund =
      one.eventCode === "REFUND" ||
      GIVEN_BACK.has(one.eventCode) ||
      (one.eventCode === "CANCEL_OR_REFUND" && captured > 0);
    if (!isRefund) continue;
    const known = refunds.get(one.pspReference);
    refunds.set(one.pspReference, {
      refundId: one.pspReference,
      reference: one.eventCode === "REFUND" ? one.merchantReference : (known?.reference ?? one.merchantReference),
      amount: one.amount,
      status: failed.has(one.pspReference) || !one.success ? "failed" : "done",
      at: known?.at ?? one.at,
    });
  }
  return [...refunds.values()];
}

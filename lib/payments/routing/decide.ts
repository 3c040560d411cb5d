import { BRAND_NAMES, type Brand } from "@/lib/brazil/card-brand";
import { type BusinessCode, DomainError } from "@/lib/errors";
import type { Measures, Step } from "@/lib/flows/rules/evaluate";
import { brandCode } from "@/lib/flows/rules/facts";
import { type ChallengeMode, MOST_PROVIDERS } from "@/lib/flows/rules/nodes";
import { isPayableCurrency, type PaymentNeeds } from "@/lib/payments/routing/facts";
import type { ProviderRow } from "@/lib/payments/routing/provider";
import { isCardMethod, isSaleOnly } from "@/lib/providers/capabilities";
import { isAntifraudKind } from "@/lib/providers/kinds";
import type { Capabilities } from "@/lib/providers/provider";
import { providerFor } from "@/lib/providers/registry";

/** Why a provider of the merchant is not asked. */
export type SkipReason =
  | "kind_not_available"
  | "method"
  | "brand"
  | "zero_amount"
  | "currency"
  | "installments"
  | "split"
  | "three_ds"
  | "authorization_only"
  | "recurrence"
  | "expiry"
  | "late_charges"
  | "mandate"
  | "not_queryable"
  | "paused"
  | "circuit_open"
  | "beyond_three";

export interface RouteDecision {
  /** The flow that decided, if one did. */
  flow?: { id: string; version: string };
  /** The nodes that led to the providers; a merchant without a flow has one. */
  path: string[];
  /** Ids, first choice first. */
  providers: string[];
  /** The same with what follows declines that a flow names. */
  steps?: readonly Step[];
  /** Ids with a `SkipReason`, or what a flow besides passes over. */
  skipped: { id: string; why: string }[];
  challenge?: ChallengeMode | null;
  bucket?: number | null;
  measures?: Measures;
  /** Whoever analyses the payment for fraud. */
  fraudProvider: string | null;
  /** Set when `providers` is empty. */
  refusal: DomainError | null;
}

export const BY_PRIORITY = "merchant_priorities";

/**
 * The merchant's providers by priority, equal ones older first, less those that cannot do what is asked
 * (spec/contract.md 8.9). Pure: no clock, nothing read. Who is out of reach is left out where anybody else is left.
 */
export function decideRoute(
  needs: PaymentNeeds,
  rows: readonly ProviderRow[],
  isOutOfReach: (row: ProviderRow) => boolean = () => false,
): RouteDecision {
  const ordered = rows.toSorted(firstTried);
  const payable = ordered.filter(({ kind }) => !isAntifraudKind(kind));
  const judged = payable.map((row) => ({ row, lacks: row.routable ? firstLack(row, needs) : undefined }));
  const able = judged.filter(({ row, lacks }) => isOn(row) && lacks === undefined).map(({ row }) => row);
  const reached = able.filter((row) => !isOutOfReach(row));
  const chosen = reached.length > 0 ? reached : able;
  const providers = chosen.slice(0, MOST_PROVIDERS).map(({ id }) => id);
  const fraudProvider = needs.fraudAnalysis ? ordered.find((row) => isAntifraudKind(row.kind) && isOn(row)) : undefined;
  return {
    path: [BY_PRIORITY],
    providers,
    skipped: judged.flatMap(({ row, lacks }) => {
      return providers.includes(row.id) ? [] : [{ id: row.id, why: whyNot(row, lacks, !chosen.includes(row)) }];
    }),
    fraudProvider: fraudProvider?.id ?? null,
    refusal: providers.length > 0 ? null : refusalOf(judged, needs),
  };
}

function whyNot(row: ProviderRow, lacks: Requirement | undefined, isLeftOut: boolean): SkipReason {
  if (row.pausedAt) return "paused";
  if (!row.routable) return "kind_not_available";
  return lacks?.why ?? (isLeftOut ? "circuit_open" : "beyond_three");
}

const isOn = ({ routable, pausedAt }: ProviderRow): boolean => routable && !pausedAt;

/** What a routable provider cannot do of what is asked; null when it can do all of it. */
export const lackOf = (row: ProviderRow, needs: PaymentNeeds): SkipReason | null => firstLack(row, needs)?.why ?? null;

const firstTried = (a: ProviderRow, b: ProviderRow): number =>
  a.priority - b.priority || a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : 1);

interface Requirement {
  able(capabilities: Capabilities, needs: PaymentNeeds, providerId: string): boolean;
  why: SkipReason;
  refusal: BusinessCode;
  /** Where the code has words for another reason. */
  words?: string;
  /** What the refusal names. */
  details?(needs: PaymentNeeds): readonly string[];
}

/** In this order, so that the refusal names the first thing nobody can do. */
const REQUIREMENTS: readonly Requirement[] = [
  { able: doesMethod, why: "method", refusal: "payment_method_not_supported" },
  { able: (_, needs) => isPayableCurrency(needs.currency), why: "currency", refusal: "currency_not_supported" },
  {
    able: takesBrand,
    why: "brand",
    refusal: "payment_method_not_supported",
    words: "no provider of the merchant takes cards of this brand",
    details: ({ brand }) => (brand === undefined ? [] : [brand]),
  },
  { able: checksCard, why: "zero_amount", refusal: "provider_not_available" },
  { able: keepsMandate, why: "mandate", refusal: "payment_method_not_supported" },
  {
    able: takesInstallments,
    why: "installments",
    refusal: "installments_not_allowed",
  },
  {
    able: splits,
    why: "split",
    refusal: "split_not_supported",
    details: ({ sellers = [] }) => sellers,
  },
  {
    able: ({ card }, needs) => !needs.threeDS || (card !== false && card.threeDS2 !== "none"),
    why: "three_ds",
    refusal: "provider_not_available",
  },
  {
    able: ({ card }, { method, threeDS }) =>
      threeDS || card === false || !isCardMethod(method) || !card.authenticated.includes(method),
    why: "three_ds",
    refusal: "provider_not_available",
    words: "the provider takes this method of an authenticated buyer alone: send threeDSecure2",
  },
  {
    able: canHold,
    why: "authorization_only",
    refusal: "provider_not_available",
  },
  {
    able: ({ card }, needs) => needs.recurrence === undefined || (card !== false && card.recurrence),
    why: "recurrence",
    refusal: "provider_not_available",
  },
  { able: keepsOpen, why: "expiry", refusal: "provider_not_available" },
  {
    able: ({ boleto }, { hasLateCharges }) => !hasLateCharges || (boleto !== false && boleto.overUnderPayment),
    why: "late_charges",
    refusal: "provider_not_available",
  },
  { able: isQueryable, why: "not_queryable", refusal: "provider_not_available" },
];

function keepsMandate({ mandates }: Capabilities, { mandate }: PaymentNeeds): boolean {
  if (!mandate) return true;
  if (mandates === false) return false;
  const { journey, interval, retry } = mandate;
  const { journeys, intervals, retries } = mandates;
  return journeys.includes(journey) && intervals.some((one) => one === interval) && retries.includes(retry);
}

function takesInstallments({ card, pix }: Capabilities, { method, installments }: PaymentNeeds): boolean {
  if (installments === 1) return true;
  if (method === "pix") return pix !== false && pix.installments;
  return card !== false && installments <= card.maxInstallments;
}

function splits({ split }: Capabilities, needs: PaymentNeeds, providerId: string): boolean {
  const { split: mode, recipients = 0, splitAt } = needs;
  if (mode === false) return true;
  if (split === false || !split.modes.includes(mode) || recipients > split.maxRecipients) return false;
  return splitAt === undefined || splitAt.includes(providerId);
}

/** A Pix or a boleto can be paid for as long as was asked. */
function keepsOpen({ pix, boleto }: Capabilities, { expiresInSec, dueInDays }: PaymentNeeds): boolean {
  if (expiresInSec !== undefined) {
    return pix !== false && expiresInSec >= pix.minExpirySec && expiresInSec <= pix.maxExpirySec;
  }
  if (dueInDays === undefined) return true;
  return boleto !== false && dueInDays >= boleto.minDays && dueInDays <= boleto.maxDays;
}

function takesBrand({ card }: Capabilities, { method, brand }: PaymentNeeds): boolean {
  return brand === undefined || !isCardMethod(method) || (card !== false && isAmong(card.brands[method], brand));
}

/** A card is checked without an amount as credit is. */
function checksCard({ card }: Capabilities, { amount, brand }: PaymentNeeds): boolean {
  if (amount !== 0) return true;
  return card !== false && card.zeroAmount.length > 0 && (brand === undefined || isAmong(card.zeroAmount, brand));
}

/** Several brands are one to the API, without a name: whoever takes any of them may be asked. */
function isAmong(brands: readonly Brand[], given: string): boolean {
  const code = brandCode(given);
  const isNameless = code === "unknown";
  return brands.some((brand) => brand === code || (isNameless && BRAND_NAMES[brand] === BRAND_NAMES.unknown));
}

function doesMethod({ card, pix, boleto, wallets }: Capabilities, { method }: Pick<PaymentNeeds, "method">): boolean {
  switch (method) {
    case "credit":
    case "debit":
    case "voucher":
      return card !== false && card.brands[method].length > 0;
    case "pix":
      return pix !== false;
    case "boleto":
      return boleto !== false;
    default:
      return wallets !== false && wallets.includes(method);
  }
}

/** Whether a kind takes payments by this method at all. */
export const offersMethod = (kind: string, method: PaymentNeeds["method"]): boolean =>
  !isAntifraudKind(kind) && doesMethod(providerFor(kind).capabilities, { method });

function canHold(capabilities: Capabilities, { authOnly, method }: PaymentNeeds): boolean {
  return !authOnly || !isCardMethod(method) || !isSaleOnly(capabilities, method);
}

function isQueryable({ lookup, idempotency }: Capabilities, { queryable }: PaymentNeeds): boolean {
  if (!queryable) return true;
  return lookup === "strong_by_reference" || lookup === "eventual_by_reference" || idempotency.kind !== "none";
}

const firstLack = ({ kind, id }: ProviderRow, needs: PaymentNeeds): Requirement | undefined =>
  REQUIREMENTS.find(({ able }) => !able(providerFor(kind).capabilities, needs, id));

function refusalOf(
  judged: readonly { row: ProviderRow; lacks: Requirement | undefined }[],
  needs: PaymentNeeds,
): DomainError {
  const routable = judged.filter(({ row }) => row.routable);
  if (judged.length > 0 && routable.length === 0) {
    const kinds = [...new Set(judged.map(({ row }) => row.kind))];
    return new DomainError("provider_not_available", "provider kind not available in this installation", {
      details: kinds,
    });
  }
  const furthest = REQUIREMENTS.findLast((requirement) => routable.some(({ lacks }) => lacks === requirement));
  const code = furthest?.refusal ?? "provider_not_available";
  const words = furthest?.words ?? REASON[code] ?? "no provider of the merchant can take this payment";
  return new DomainError(code, words, { details: [...(furthest?.details?.(needs) ?? [])] });
}

const REASON: Partial<Record<BusinessCode, string>> = {
  payment_method_not_supported: "no provider of the merchant takes this payment method",
  currency_not_supported: "no provider of the merchant takes this currency",
  installments_not_allowed: "no provider of the merchant takes that many installments",
  split_not_supported: "no provider of the merchant splits payments this way",
};

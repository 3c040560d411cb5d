import { providers } from "@/db/schema/merchants";
import { findRows } from "@/db/statements";
import type { Context } from "@/lib/context";
import { type BusinessCode, DomainError } from "@/lib/errors";
import { openCredentials } from "@/lib/payments/credentials";
import { isCardMethod, isSaleOnly } from "@/lib/providers/capabilities";
import { isAntifraudKind } from "@/lib/providers/kinds";
import type { Capabilities, Secret, WalletMethod } from "@/lib/providers/provider";
import { providerFor } from "@/lib/providers/registry";

/** A provider of a merchant, as calls need it. */
export interface RoutedProvider {
  readonly id: string;
  readonly kind: string;
  readonly priority: number;
  readonly options: Readonly<Record<string, unknown>>;
  readonly credentials: () => Secret;
}

type ProviderRow = typeof providers.$inferSelect;

const toRouted = (row: ProviderRow): RoutedProvider => ({
  id: row.id,
  kind: row.kind,
  priority: row.priority,
  options: row.options ?? {},
  credentials: () => openCredentials(row.id, row.credentials),
});

/** Also one that was removed: charges keep working for capture, void and queries afterwards. */
export async function providerById(ctx: Context, id: string): Promise<RoutedProvider> {
  const [row] = await findRows(ctx.db, providers, { id });
  if (!row) throw new Error("the provider of an attempt is missing");
  return toRouted(row);
}

/** What a payment asks of a provider. */
export interface PaymentNeeds {
  method: "credit" | "debit" | "voucher" | "pix" | "boleto" | WalletMethod;
  currency: string;
  installments: number;
  split: false | "amount" | "percentage";
  threeDS: boolean;
  authOnly: boolean;
}

export interface Route {
  /** Able providers, first choice first. */
  candidates: RoutedProvider[];
  antifraud: RoutedProvider | undefined;
}

/**
 * The merchant's providers by priority, equal ones older first, less those that cannot do what is asked
 * (spec/contract.md 8.9). Refused with the reason when none is left.
 */
export async function routeOf(ctx: Context, merchantId: string, needs: PaymentNeeds): Promise<Route> {
  const rows = (await findRows(ctx.db, providers, { clientId: ctx.account.id, merchantId, deletedAt: null })).sort(
    firstTried,
  );
  const payable = rows.filter((row) => !isAntifraudKind(row.kind));
  const routable = payable.filter((row) => row.routable);
  let left = routable;
  for (const { able, refusal } of FILTERS) {
    const next = left.filter((row) => able(providerFor(row.kind).capabilities, needs));
    if (next.length === 0) throw noneAble(left.length > 0 ? refusal : "provider_not_available", payable, routable);
    left = next;
  }
  const antifraud = rows.find((row) => isAntifraudKind(row.kind) && row.routable);
  return { candidates: left.map(toRouted), antifraud: antifraud && toRouted(antifraud) };
}

const firstTried = (a: ProviderRow, b: ProviderRow): number =>
  a.priority - b.priority || a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : 1);

interface Filter {
  able(capabilities: Capabilities, needs: PaymentNeeds): boolean;
  refusal: BusinessCode;
}

/** In this order, so that the refusal names the first thing nobody can do. */
const FILTERS: readonly Filter[] = [
  { able: doesMethod, refusal: "payment_method_not_supported" },
  { able: (_, needs) => needs.currency === "BRL", refusal: "currency_not_supported" },
  {
    able: ({ card }, needs) =>
      needs.installments === 1 || (card !== false && needs.installments <= card.maxInstallments),
    refusal: "installments_not_allowed",
  },
  {
    able: ({ split }, needs) => needs.split === false || (split !== false && split.modes.includes(needs.split)),
    refusal: "split_not_supported",
  },
  {
    able: ({ card }, needs) => !needs.threeDS || (card !== false && card.threeDS2 !== "none"),
    refusal: "provider_not_available",
  },
  { able: canHold, refusal: "provider_not_available" },
];

function canHold(capabilities: Capabilities, { authOnly, method }: PaymentNeeds): boolean {
  return !authOnly || !isCardMethod(method) || !isSaleOnly(capabilities, method);
}

function doesMethod({ card, pix, boleto, wallets }: Capabilities, { method }: PaymentNeeds): boolean {
  switch (method) {
    case "credit":
    case "debit":
      return card !== false;
    case "voucher":
      return card !== false && card.voucher;
    case "pix":
      return pix !== false;
    case "boleto":
      return boleto !== false;
    default:
      return wallets !== false && wallets.includes(method);
  }
}

function noneAble(refusal: BusinessCode, payable: ProviderRow[], routable: ProviderRow[]): DomainError {
  if (payable.length > 0 && routable.length === 0) {
    const kinds = [...new Set(payable.map((row) => row.kind))];
    return new DomainError("provider_not_available", "provider kind not available in this installation", {
      details: kinds,
    });
  }
  return new DomainError(refusal, REASON[refusal] ?? "no provider of the merchant can take this payment");
}

const REASON: Partial<Record<BusinessCode, string>> = {
  payment_method_not_supported: "no provider of the merchant takes this payment method",
  currency_not_supported: "no provider of the merchant takes this currency",
  installments_not_allowed: "no provider of the merchant takes that many installments",
  split_not_supported: "no provider of the merchant splits payments this way",
};

import { sellers } from "@/db/schema/sellers";
import { insertReturning } from "@/db/statements";
import { audit } from "@/lib/audit";
import { type Context, inTransaction, now, publicKeyOf } from "@/lib/context";
import { DomainError } from "@/lib/errors";
import { claimKey, storeAnswer } from "@/lib/idempotency";
import { newId } from "@/lib/ids";
import { findMerchant } from "@/lib/merchants/queries";
import { percentToBps } from "@/lib/money";
import { type ProviderRow, providersOf } from "@/lib/payments/routing/provider";
import { isAntifraudKind } from "@/lib/providers/kinds";
import { providerFor } from "@/lib/providers/registry";
import { requireSalePlan } from "@/lib/sale-plans/service";
import { sellerReply } from "@/lib/sellers/answer";
import { beginAnticipation } from "@/lib/sellers/anticipation";
import { bankIdentifierMissing, type CheckedGroups, checkGroups, documentKeyOf } from "@/lib/sellers/checks";
import { attachDocuments } from "@/lib/sellers/documents";
import { announceSeller } from "@/lib/sellers/events";
import { findSeller, type Seller } from "@/lib/sellers/queries";
import { registerSeller } from "@/lib/sellers/register";
import { workedOn } from "@/lib/sellers/registration";
import type { NewSeller } from "@/lib/sellers/schema";

/** How long the client waits for its providers (spec/settlement.md section 6). */
const MOST_WAIT_MS = 25_000;
const USUAL_POLICY = { transferInterval: "weekly", transferDay: "1", transferEnabled: true } as const;

/**
 * Writes the seller with what its providers are asked, in one transaction; then asks them while the client waits, unless
 * it does not want to.
 */
export async function createSeller(ctx: Context, input: NewSeller): Promise<Seller> {
  const id = newId();
  const registrations = await inTransaction(ctx, (inside) => accept(inside, id, input));
  if (!input.createAsync) await workedOn(ctx, registrations, MOST_WAIT_MS);
  return inTransaction(ctx, async (inside) => {
    const seller = await findSeller(inside, id);
    if (!seller) throw new Error("the seller was not written");
    const { db, account, idempotency } = inside;
    if (idempotency) await storeAnswer(db, account.id, idempotency, sellerReply(seller), now(inside));
    return seller;
  });
}

async function accept(ctx: Context, id: string, input: NewSeller): Promise<string[]> {
  const { db, account, idempotency } = ctx;
  const at = now(ctx);
  if (idempotency) await claimKey(db, account.id, idempotency, { resourceId: id }, at);
  const merchant = await findMerchant(ctx, input.merchantId, "key share");
  if (!merchant) throw new DomainError("merchant_not_found", "the merchant does not exist");
  if (input.planId) await requireSalePlan(ctx, input.planId);
  if (!input.bankAccount.bank && !input.bankAccount.ispb) throw bankIdentifierMissing();
  const transferPolicy = input.transferPolicy ?? USUAL_POLICY;
  const groups = checkGroups({ ...input, transferPolicy });
  const places = placesAmong(await providersOf(ctx, merchant.id));
  const [row] = await insertReturning(
    db,
    sellers,
    [
      {
        id,
        clientId: account.id,
        merchantId: merchant.id,
        mcc: input.mcc,
        status: "pending",
        ...sellerColumnsOf(groups),
        transferPolicy,
        rateAgreements: input.rateAgreements ?? null,
        metadata: input.metadata ?? null,
        planId: input.planId ?? null,
        salesPlanId: input.salesPlanId ?? null,
        processingFee: input.processingFee ?? false,
        liable: input.liable ?? false,
        fareMdrBps: percentToBps(input.fareMdr ?? 0) ?? 0,
        fareFee: input.fareFee ?? 0,
        minNegativeBalance: input.minNegativeBalance ?? 0,
        maxRefundDays: input.maxRefundDays ?? null,
        notifyOnPayout: input.notifyOnPayout ?? true,
        createdByKey: publicKeyOf(ctx) ?? null,
        createdAt: at,
        updatedAt: at,
      },
    ],
    { skip: true },
  );
  if (!row) throw alreadyExists();
  await beginAnticipation(ctx, undefined, row);
  const documents = await attachDocuments(ctx, id, [...(input.documents ?? []), ...(input.documentIds ?? [])]);
  const registrations = await registerSeller(ctx, row, places, { adopted: input.providers ?? [], documents });
  await audit(ctx, {
    action: "seller.create",
    object: "seller",
    objectId: id,
    after: { merchantId: merchant.id, mcc: input.mcc, isCompany: groups.business !== null },
  });
  await announceSeller(ctx, { row, registrations, documents }, registrations[0]);
  return registrations.map((registration) => registration.id);
}

/** What a seller's row holds of its groups. */
export const sellerColumnsOf = ({ owner, business, bankAccount, document }: CheckedGroups) => ({
  owner,
  business,
  bankAccount,
  documentKey: documentKeyOf(document),
  documentNumber: document.number,
  ownerEmail: owner.email,
  businessEmail: business?.email ?? null,
  ownerName: owner.name,
  businessName: business?.name ?? null,
});

export const alreadyExists = (): DomainError =>
  new DomainError("seller_already_exists", "the merchant has a seller with this document");

/** Providers of a merchant that a seller is registered at: those that can split. */
export function placesAmong(rows: readonly ProviderRow[]): ProviderRow[] {
  const places = takingSellers(rows);
  if (places.length > 0) return places;
  throw new DomainError("provider_kind_not_available", "no provider of the merchant takes sellers", {
    details: [...new Set(rows.map(({ kind }) => kind))],
  });
}

export const takingSellers = (rows: readonly ProviderRow[]): ProviderRow[] =>
  rows.filter(({ kind, routable }) => routable && !isAntifraudKind(kind) && providerFor(kind).recipients !== undefined);

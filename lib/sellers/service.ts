import { and, eq, isNull, sql } from "drizzle-orm";
import { charges, splitRules } from "@/db/schema/charges";
import { payoutHolds } from "@/db/schema/payouts";
import type { SellerBusiness, SellerOwner } from "@/db/schema/sellers";
import { sellers } from "@/db/schema/sellers";
import { audit } from "@/lib/audit";
import { nextBankDay, saoPauloDay, startOfSaoPauloDay } from "@/lib/brazil/bank-calendar";
import { canonicalJson } from "@/lib/canonical-json";
import { type Context, now, violatedConstraint } from "@/lib/context";
import { schedule } from "@/lib/due-jobs/schedule";
import { DomainError, notFound } from "@/lib/errors";
import { accountOf } from "@/lib/ledger/accounts";
import { balancesOf } from "@/lib/ledger/checkpoints";
import { percentToBps } from "@/lib/money";
import { requireSalePlan } from "@/lib/sale-plans/service";
import { beginAnticipation } from "@/lib/sellers/anticipation";
import { checkGroups } from "@/lib/sellers/checks";
import { alreadyExists, sellerColumnsOf } from "@/lib/sellers/create";
import { attachDocuments } from "@/lib/sellers/documents";
import { followUp } from "@/lib/sellers/news";
import { findSeller, type Seller, type SellerRow } from "@/lib/sellers/queries";
import { planCall } from "@/lib/sellers/register";
import { type SellerChange, wholeGroups } from "@/lib/sellers/schema";
import { addSeconds, DAY_SECONDS } from "@/lib/time";

/** Unknown, deleted or another client's: 404. */
export async function sellerAt(ctx: Context, id: string, lock?: "update"): Promise<Seller> {
  const seller = await findSeller(ctx, id, lock);
  if (!seller) throw notFound("seller");
  return seller;
}

type AccountMembers = NonNullable<SellerChange["bankAccount"]>;

/** Besides what the API takes: null is the default plan again, no limit of days, and no such member of the account. */
export type OwnChange = Partial<Omit<SellerChange, "planId" | "maxRefundDays" | "bankAccount">> & {
  bankAccount?: { [Member in keyof AccountMembers]?: AccountMembers[Member] | null } | undefined;
  planId?: string | null | undefined;
  maxRefundDays?: number | null | undefined;
};

/** Only the members sent change, those of each group too; each provider hears of what concerns it. */
export async function updateSeller(ctx: Context, id: string, change: OwnChange): Promise<Seller> {
  const before = await sellerAt(ctx, id, "update");
  refuseStatus(change);
  if (change.planId) await requireSalePlan(ctx, change.planId);
  const groups = mergedGroups(before.row, change);
  const isNewAccount = canonicalJson(groups.bankAccount) !== canonicalJson(before.row.bankAccount);
  const row = await write(ctx, before.row, change, { ...groups, isNewAccount });
  await beginAnticipation(ctx, before.row, row);
  const added = await attachDocuments(ctx, id, [...(change.documents ?? []), ...(change.documentIds ?? [])]);
  const isTold = Boolean(change.owner ?? change.business ?? change.bankAccount ?? change.transferPolicy ?? change.mcc);
  for (const { id: registrationId, status } of before.registrations) {
    if (status === "refused") continue;
    if (isTold) await planCall(ctx, registrationId, { call: "update" });
    for (const documentId of added) await planCall(ctx, registrationId, { call: "document", documentId });
    if (isTold || added.length > 0) await schedule(ctx, "registration.query", registrationId, now(ctx));
  }
  await audit(ctx, {
    action: isNewAccount ? "seller.bank_account" : "seller.update",
    object: "seller",
    objectId: id,
    before: shown(before.row),
    after: shown(row),
  });
  return followUp(ctx, { ...before, row }, undefined);
}

/** A client switches its seller off and on again; what else a seller is, its providers say. */
function refuseStatus({ status }: OwnChange): void {
  if (status === undefined || status === "active" || status === "inactive") return;
  throw new DomainError("invalid_status_transition", `a seller cannot be set ${status}`);
}

export function mergedGroups(row: SellerRow, change: OwnChange) {
  const { bank, ispb, ...account } = row.bankAccount;
  // The code of a bank and its ISPB name one bank: where either changes, nothing of the former one stays.
  const isOther = (change.bankAccount?.bank ?? bank) !== bank || (change.bankAccount?.ispb ?? ispb) !== ispb;
  const merged = {
    owner: mergedPerson(row.owner, change.owner),
    ...(row.business || change.business ? { business: mergedPerson(row.business, change.business) } : {}),
    bankAccount: { ...account, ...(isOther ? {} : { bank, ispb }), ...sent(change.bankAccount) },
    transferPolicy: { ...row.transferPolicy, ...sent(change.transferPolicy) },
  };
  const whole = wholeGroups.parse(merged);
  return { ...checkGroups(whole), transferPolicy: whole.transferPolicy };
}

const sent = <T extends object>(given: T | undefined): object =>
  Object.fromEntries(Object.entries(given ?? {}).filter(([, value]) => value !== undefined));

function mergedPerson(
  before: SellerOwner | SellerBusiness | null,
  change: SellerChange["owner"] | SellerChange["business"],
): object {
  const { address, ...lines } = change ?? {};
  return { ...before, ...sent(lines), address: { ...before?.address, ...sent(address) } };
}

async function write(
  ctx: Context,
  before: SellerRow,
  change: OwnChange,
  { isNewAccount, transferPolicy, ...groups }: ReturnType<typeof mergedGroups> & { isNewAccount: boolean },
): Promise<SellerRow> {
  const at = now(ctx);
  const [row] = await ctx.db
    .update(sellers)
    .set({
      ...sellerColumnsOf(groups),
      transferPolicy,
      mcc: change.mcc,
      metadata: change.metadata,
      rateAgreements: change.rateAgreements,
      planId: change.planId,
      salesPlanId: change.salesPlanId,
      processingFee: change.processingFee,
      liable: change.liable,
      fareMdrBps: change.fareMdr === undefined ? undefined : percentToBps(change.fareMdr),
      fareFee: change.fareFee,
      minNegativeBalance: change.minNegativeBalance,
      maxRefundDays: change.maxRefundDays,
      notifyOnPayout: change.notifyOnPayout,
      ...(change.status === undefined ? {} : { isSwitchedOff: change.status === "inactive" }),
      statusReason: change.statusReason,
      reasonType: change.reasonType,
      ...(isNewAccount ? { transfersHeldUntil: heldUntil(at) } : {}),
      updatedAt: at,
    })
    .where(and(eq(sellers.clientId, ctx.account.id), eq(sellers.id, before.id)))
    .returning()
    .catch((thrown: unknown) => {
      throw violatedConstraint(thrown) === "sellers_document" ? alreadyExists() : thrown;
    });
  if (!row) throw new Error("a locked row is there to be changed");
  if (isNewAccount) await liftAccountHold(ctx, row.id, at);
  return row;
}

/** A bank refused the old account; the new one is held for its own time. */
const liftAccountHold = ({ db }: Context, sellerId: string, at: Date): Promise<unknown> =>
  db
    .update(payoutHolds)
    .set({ liftedAt: at })
    .where(and(eq(payoutHolds.sellerId, sellerId), eq(payoutHolds.cause, "account"), isNull(payoutHolds.liftedAt)));

/** Until the next bank day, and at least 24 hours. */
function heldUntil(at: Date): Date {
  const [bankDay, dayLater] = [startOfSaoPauloDay(nextBankDay(saoPauloDay(at))), addSeconds(at, DAY_SECONDS)];
  return bankDay > dayLater ? bankDay : dayLater;
}

/** Payments that name it keep doing so; its documents are erased 30 days later. */
export async function deleteSeller(ctx: Context, id: string, merchantId: string): Promise<void> {
  const { row } = await sellerAt(ctx, id, "update");
  if (row.merchantId !== merchantId) {
    throw new DomainError("merchant_not_found", "the seller does not belong to this merchant");
  }
  if (await hasMoney(ctx, row)) {
    throw new DomainError("seller_has_balance", "the seller still has money to receive or to give back");
  }
  const at = now(ctx);
  await ctx.db
    .update(sellers)
    .set({ deletedAt: at, updatedAt: at })
    .where(and(eq(sellers.clientId, ctx.account.id), eq(sellers.id, id)));
  await audit(ctx, { action: "seller.delete", object: "seller", objectId: id, before: shown(row) });
}

/** Held cards count too: their capture would owe it something. */
async function hasMoney(ctx: Context, { id: sellerId, merchantId }: SellerRow): Promise<boolean> {
  const books = { clientId: ctx.account.id, merchantId, currency: "BRL" };
  const accounts = (["seller_pending", "seller_available", "payout_in_transit"] as const).map(
    (kind) => accountOf(books, { kind, sellerId }).id,
  );
  const balances = await balancesOf(ctx, accounts);
  if ([...balances.values()].some((balance) => balance !== 0)) return true;
  const [open] = await ctx.db
    .select({ one: sql`1` })
    .from(splitRules)
    .innerJoin(charges, eq(charges.id, splitRules.chargeId))
    .where(
      and(
        eq(splitRules.clientId, ctx.account.id),
        eq(splitRules.sellerId, sellerId),
        sql`(${charges.isDispute} or ${charges.status} in ('pending', 'pre_authorized', 'capture_pending', 'refund_pending'))`,
      ),
    )
    .limit(1);
  return open !== undefined;
}

const LAST = 4;

/** Of an account the last digits, of a person nothing. */
const shown = ({ mcc, status, isSwitchedOff, bankAccount, planId, transferPolicy }: SellerRow) => ({
  mcc,
  status,
  isSwitchedOff,
  planId,
  account: bankAccount.accountNumber.slice(-LAST),
  transferInterval: transferPolicy.transferInterval,
  transferEnabled: transferPolicy.transferEnabled,
});

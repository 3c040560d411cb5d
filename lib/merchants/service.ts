import { and, eq, isNull } from "drizzle-orm";
import { merchants, providers, SUBSCRIPTION_MAILS, type SubscriptionMail } from "@/db/schema/merchants";
import { audit } from "@/lib/audit";
import { type Context, inTransaction, now } from "@/lib/context";
import { DomainError, invalid, notFound } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { insertProviders, refuseUnreachable } from "@/lib/merchants/providers";
import {
  findMerchant,
  findMerchantView,
  hasOpenCharges,
  type MerchantRow,
  type MerchantView,
  providersOfMerchants,
} from "@/lib/merchants/queries";
import type { MerchantChanges, NewMerchant } from "@/lib/merchants/schema";
import { beginMerchantDays } from "@/lib/receivables/merchant-day";

export async function createMerchant(ctx: Context, { providers: given, ...input }: NewMerchant): Promise<MerchantView> {
  return inTransaction(ctx, async (inside) => {
    const at = now(inside);
    const [merchant] = await inside.db
      .insert(merchants)
      .values({
        id: newId(),
        clientId: inside.account.id,
        ...input,
        payoutRail: usualRail(inside),
        createdAt: at,
        updatedAt: at,
      })
      .returning();
    if (!merchant) throw new Error("an insert answers its row");
    await audit(inside, {
      action: "merchant.create",
      object: "merchant",
      objectId: merchant.id,
      after: shown(merchant),
    });
    await insertProviders(inside, merchant, given);
    await beginMerchantDays(inside, merchant.id);
    return { merchant, providers: await providersOfMerchants(inside, [merchant.id]), feeRules: [] };
  });
}

/** The simulator pays nobody's real money. */
const usualRail = ({ account }: Context) => (account.mode === "sandbox" ? ("sandbox" as const) : ("none" as const));

/** Unknown, deleted or another client's: 404. */
export async function getMerchant(ctx: Context, id: string): Promise<MerchantView> {
  return inTransaction(ctx, async (inside) => {
    const view = await findMerchantView(inside, id);
    if (!view) throw notFound("merchant");
    return view;
  });
}

export async function updateMerchant(ctx: Context, id: string, changes: MerchantChanges): Promise<MerchantView> {
  return inTransaction(ctx, async (inside) => {
    const merchant = await lockMerchant(inside, id);
    if (changes.payoutRail === "sandbox" && inside.account.mode !== "sandbox") {
      throw invalid("payoutRail: only a sandbox account is paid by the simulator");
    }
    if (changes.payoutRail === "file" && !(changes.payoutAccount ?? merchant.payoutAccount)) {
      throw invalid("payoutAccount: files for a bank need the account that they pay from");
    }
    if (changes.status && !merchant.status) refuseUnreachable(await providersOfMerchants(inside, [id]));
    const { subscriptionMails, ...columns } = changes;
    const [changed] = await inside.db
      .update(merchants)
      .set({ ...columns, ...mailsAfter(merchant, subscriptionMails), updatedAt: now(inside) })
      .where(eq(merchants.id, id))
      .returning();
    if (!changed) throw new Error("a locked row is there to be changed");
    await audit(inside, {
      action: "merchant.update",
      object: "merchant",
      objectId: id,
      before: shown(merchant),
      after: shown(changed),
    });
    return getMerchant(inside, id);
  });
}

/** Its providers stop with it. Charges already made keep working for capture, void and queries. */
export async function deleteMerchant(ctx: Context, id: string): Promise<void> {
  await inTransaction(ctx, async (inside) => {
    const merchant = await lockMerchant(inside, id);
    if (await hasOpenCharges(inside, id)) {
      throw new DomainError("merchant_in_use", "the merchant has pending payments or held charges");
    }
    const at = now(inside);
    await inside.db.update(merchants).set({ deletedAt: at, updatedAt: at }).where(eq(merchants.id, id));
    await inside.db
      .update(providers)
      .set({ deletedAt: at, updatedAt: at })
      .where(and(eq(providers.merchantId, id), isNull(providers.deletedAt)));
    await audit(inside, { action: "merchant.delete", object: "merchant", objectId: id, before: shown(merchant) });
  });
}

async function lockMerchant(ctx: Context, id: string): Promise<MerchantRow> {
  const merchant = await findMerchant(ctx, id, "update");
  if (!merchant) throw notFound("merchant");
  return merchant;
}

function mailsAfter(
  { subscriptionMailsOff: off }: MerchantRow,
  asked: MerchantChanges["subscriptionMails"],
): { subscriptionMailsOff?: SubscriptionMail[] } {
  if (!asked) return {};
  return { subscriptionMailsOff: SUBSCRIPTION_MAILS.filter((kind) => !(asked[kind] ?? !off.includes(kind))) };
}

const shown = ({
  mcc,
  name,
  merchantName,
  merchantUrl,
  status,
  payoutRail,
  payoutAccount,
  subscriptionMailsOff,
  buyerMayCancel,
}: MerchantRow): Record<string, unknown> => ({
  mcc,
  name,
  merchantName,
  merchantUrl,
  status,
  payoutRail,
  // Whose money it is stands in no log: the last digits tell a change.
  payoutAccount: payoutAccount && `${payoutAccount.bank} ${payoutAccount.accountNumber.slice(-4)}`,
  subscriptionMailsOff,
  buyerMayCancel,
});

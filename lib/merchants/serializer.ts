import { SUBSCRIPTION_MAILS, type SubscriptionMail } from "@/db/schema/merchants";
import { shownCredentials } from "@/lib/merchants/credentials";
import type { MerchantView } from "@/lib/merchants/queries";
import type { MerchantBody, ProviderBody } from "@/lib/merchants/schema";
import type { ProviderRow } from "@/lib/payments/routing/provider";
import { serializeFeeRule } from "@/lib/platform-fees/serializer";

/** The only place where a provider's row becomes a wire object. */
export const serializeProvider = (provider: ProviderRow): ProviderBody => ({
  id: provider.id,
  name: provider.name,
  priority: provider.priority,
  credentials: shownCredentials(provider.kind, provider.credentialMembers),
  options: provider.options,
  acquirer: provider.acquirer,
  ...(provider.pausedAt ? { paused: true as const } : {}),
  createdAt: provider.createdAt,
  updatedAt: provider.updatedAt,
  deletedAt: provider.deletedAt,
  idempotencyKey: provider.idempotencyKey,
  requestId: provider.requestId,
});

export const serializeMerchant = ({ merchant, providers, feeRules }: MerchantView): MerchantBody => ({
  id: merchant.id,
  createdAt: merchant.createdAt,
  updatedAt: merchant.updatedAt,
  clientId: merchant.clientId,
  mcc: merchant.mcc,
  name: merchant.name,
  merchantName: merchant.merchantName,
  merchantUrl: merchant.merchantUrl,
  status: merchant.status,
  providers: providers.map(serializeProvider),
  platformFeeEnabled: merchant.platformFeeEnabled,
  faresOnRefund: merchant.faresOnRefund,
  payoutRail: merchant.payoutRail,
  payoutAccount: merchant.payoutAccount,
  subscriptionMails: mailsOf(merchant),
  buyerMayCancel: merchant.buyerMayCancel,
  platformFees: feeRules.map(serializeFeeRule),
});

const mailsOf = ({ subscriptionMailsOff: off }: MerchantView["merchant"]): Record<SubscriptionMail, boolean> =>
  // Guarantee: one entry for each kind.
  Object.fromEntries(SUBSCRIPTION_MAILS.map((kind) => [kind, !off.includes(kind)])) as Record<
    SubscriptionMail,
    boolean
  >;

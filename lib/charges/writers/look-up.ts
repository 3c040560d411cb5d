import { lookUp } from "@/db/look-up";
import { idempotencyKeys } from "@/db/schema/accounts";
import { cards, cardTokens, customers } from "@/db/schema/customers";
import { activeFlows } from "@/db/schema/flows";
import { merchants, providers } from "@/db/schema/merchants";

/**
 * What a payment by a token or a saved card is decided from: $2 merchant, $3 token, $4 card, $5 customer, $6 and $7 key,
 * $8 method.
 */
export const lookUpPayment = lookUp({
  merchant: [merchants, "id = $2::uuid and deleted_at is null"],
  provider: [providers, "merchant_id = $2::uuid and deleted_at is null"],
  token: [cardTokens, "id = $3::uuid and kind = 'card' and used_at is null and expires_at > now()"],
  card: [cards, "id = $4::uuid"],
  customer: [customers, "id = $5::uuid and deleted_at is null"],
  flow: [activeFlows, "merchant_id = $2::uuid and payment_method = $8"],
  claim: [idempotencyKeys, "namespace = $6 and key = $7"],
});

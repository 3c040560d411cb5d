import { BRAND_NAMES, brandOfName } from "@/lib/brazil/card-brand";
import type { CardCheckRow, CardRow } from "@/lib/cards/queries";
import type { CardBody } from "@/lib/cards/schema";
import type { CustomerRow } from "@/lib/customers/queries";
import { serializeCustomer } from "@/lib/customers/serializer";

/** What is answered only where it is asked for: checks on creation and read, the customer on read. */
export interface CardParts {
  checks?: readonly CardCheckRow[];
  customer?: CustomerRow | null;
}

export function serializeCard(card: CardRow, { checks, customer }: CardParts = {}): CardBody {
  return {
    id: card.id,
    clientId: card.clientId,
    customerId: card.customerId,
    status: card.status,
    statusReason: card.statusReason,
    cardHolderName: card.cardHolderName,
    brand: BRAND_NAMES[brandOfName(card.brand)],
    first6digits: card.first6digits,
    last4digits: card.last4digits,
    expirationMonth: card.expirationMonth,
    expirationYear: card.expirationYear,
    cvvChecked: card.cvvChecked,
    fingerprint: card.fingerprint,
    tokens: [],
    ...(checks ? { transactionRequests: checks.map(serializeCheck) } : {}),
    ...(customer === undefined ? {} : { customer: customer && serializeCustomer(customer) }),
    createdAt: card.createdAt,
    updatedAt: card.updatedAt,
    deletedAt: card.deletedAt,
    deletedReason: card.deletedReason,
  };
}

const serializeCheck = (check: CardCheckRow) => ({
  id: check.id,
  createdAt: check.createdAt,
  providerId: check.providerId,
  providerType: check.providerType,
  requestStatus: check.requestStatus,
  requestType: check.requestType,
  responseTs: check.responseMs === null ? null : `${check.responseMs}ms`,
});

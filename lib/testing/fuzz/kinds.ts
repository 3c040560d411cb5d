import type { Kind } from "@/lib/testing/fuzz/world";

/** A path's parameter is named by the segment in front of it. */
const KIND_OF_SEGMENT: Readonly<Record<string, Kind>> = {
  auth: "publicKey",
  boletos: "boletoCharge",
  cards: "card",
  charges: "charge",
  customers: "customer",
  deliveries: "delivery",
  events: "event",
  flows: "flow",
  merchants: "merchant",
  pix: "pixCharge",
  orders: "paymentOrder",
  "payment-batches": "paymentBatch",
  plans: "plan",
  prepayment: "prepayment",
  "platform-fee": "feeRule",
  providers: "provider",
  "refund-documents": "refundDocument",
  replays: "replay",
  reports: "report",
  purchases: "purchase",
  scenarios: "scenario",
  schedules: "reportSchedule",
  "registration-reviews": "registrationReview",
  sellers: "seller",
  documents: "sellerDocument",
  sessions: "session",
  subscriptions: "subscription",
  cycles: "subscriptionCycle",
  vendors: "vendor",
  webhooks: "webhook",
};

const KIND_OF_MEMBER: Readonly<Record<string, Kind>> = {
  batchId: "paymentBatch",
  cardId: "card",
  chargeId: "charge",
  customerId: "customer",
  defaultCardId: "card",
  deliveryId: "delivery",
  eventId: "event",
  flowId: "flow",
  parentId: "flow",
  merchantId: "merchant",
  objectId: "charge",
  paymentId: "charge",
  prepaymentId: "prepayment",
  providerId: "provider",
  publicKey: "publicKey",
  purchaseId: "purchase",
  receivableId: "paymentOrder",
  reportId: "report",
  planId: "plan",
  sellerId: "seller",
  sessionId: "session",
  subscriptionId: "subscription",
  transactionId: "charge",
  transactionMerchantId: "merchant",
  transactionProviderId: "provider",
  webhookId: "webhook",
  tokenCvv: "cvvToken",
  tokenId: "token",
  "vendor.id": "vendor",
  // The nodes of a flow that name one; an example shows each first in its sequence.
  "0.id": "provider",
};

/** Members that name what no call makes yet. */
export const WITHOUT_OBJECTS: ReadonlySet<string> = new Set(["setupId", "pageNumber", "lineId", "checkpointId"]);

export const kindOfMember = (name: string): Kind | undefined => KIND_OF_MEMBER[name];

/** What a body's own `id` is about. */
const KIND_OF_BODY: Readonly<Record<string, Kind>> = { "/v1/dry-runs": "charge" };

export const kindOfBody = (path: string): Kind | undefined => KIND_OF_BODY[path];

export const kindOfSegment = (path: string, parameter: string): Kind | undefined => {
  const segments = path.split("/");
  return KIND_OF_SEGMENT[segments[segments.indexOf(`{${parameter}}`) - 1] ?? ""];
};

import { endpoint } from "@/app/api/endpoint";
import { envelope, listOf } from "@/lib/http/pagination";
import { purchaseReply } from "@/lib/purchases/answer";
import { createPlanned } from "@/lib/purchases/dry-run";
import { listPurchases } from "@/lib/purchases/queries";
import { newPurchase, purchaseBody, purchaseFilters } from "@/lib/purchases/schema";
import { serializePurchase } from "@/lib/purchases/serializer";

export const POST = endpoint({
  method: "POST",
  path: "/v1/purchases",
  tag: "Purchases",
  summary: "Create a purchase",
  description:
    "One order paid with 2 or 3 credit cards, all or nothing. Accepted with 202 and processed asynchronously: read it until its status is paid, failed or cancelled, or `pendingReview` is set. With capture false it stays pending, each card pre_authorized, until it is captured.",
  keepsKeys: true,
  access: "secret",
  envelope: "purchases",
  idempotency: "required",
  scenario: true,
  planned: true,
  inBand: true,
  body: newPurchase,
  reply: purchaseBody,
  status: 202,
  errors: [
    "invalid_request",
    "pan_not_allowed",
    "invalid_payments_count",
    "currency_not_brl",
    "payment_source_required",
    "payment_amount_below_minimum",
    "payments_amount_mismatch",
    "purchase_intent_mismatch",
    "plan_changed",
    "idempotency_key_payload_mismatch",
  ],
  examples: {
    twoCards: {
      summary: "Two cards, captured when both hold",
      body: {
        merchantId: "{{merchantId}}",
        amount: 10000,
        capture: true,
        orderId: "A-1001",
        payments: [
          {
            amount: 6000,
            paymentMethod: { paymentType: "credit", installments: 3 },
            paymentSource: { sourceType: "card", cardId: "{{cardId}}" },
          },
          {
            amount: 4000,
            paymentMethod: { paymentType: "credit" },
            paymentSource: { sourceType: "token", tokenId: "{{tokenId}}" },
          },
        ],
      },
    },
  },
  handle: async (ctx, { body }, answer) => answer.as(purchaseReply(await createPlanned(ctx, body))),
});

export const GET = endpoint({
  method: "GET",
  path: "/v1/purchases",
  tag: "Purchases",
  summary: "List purchases",
  access: "secret",
  envelope: "purchases",
  query: purchaseFilters,
  reply: listOf(purchaseBody),
  status: 200,
  errors: ["invalid_request"],
  examples: { paid: { summary: "Paid ones, newest first", query: { status: "paid", limit: "20" } } },
  async handle(ctx, { query }) {
    const { items, totalItems } = await listPurchases(ctx, query);
    return envelope(query, { items: items.map((purchase) => serializePurchase(purchase)), totalItems });
  },
});

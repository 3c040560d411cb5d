import { endpoint } from "@/app/api/endpoint";
import { chargeReply } from "@/lib/charges/answer";
import { chargeByKey } from "@/lib/charges/guarded";
import { listCharges } from "@/lib/charges/queries";
import { chargeBody, chargeFilters, newCharge } from "@/lib/charges/schema";
import { serializeCharge } from "@/lib/charges/serializer";
import { envelope, listOf } from "@/lib/http/pagination";

export const POST = endpoint({
  method: "POST",
  path: "/v1/charges",
  tag: "Charges",
  summary: "Create a charge",
  description:
    "One payment by card, Pix, boleto or wallet. A refused payment is a valid answer: 201 with status failed and an `error` member. A charge whose outcome is not yet known is pending and settles by itself. A public key needs `X-Captcha-Token` after a refused card of the same key and address (`GET /v1/captcha`), and the CVV of a saved card that another key made.",
  access: ["charges"],
  limit: "payments",
  scenario: true,
  planned: true,
  captcha: true,
  inBand: true,
  kind: "charge.create",
  cardAt: ["paymentSource", "card"],
  body: newCharge,
  reply: chargeBody,
  status: 201,
  errors: [
    "merchant_not_found",
    "customer_not_found",
    "card_not_found",
    "card_not_usable",
    "cvv_required",
    "captcha_required",
    "captcha_invalid",
    "token_not_usable",
    "default_card_missing",
    "seller_not_found",
    "vendor_not_found",
    "provider_not_available",
    "payment_method_not_supported",
    "currency_not_supported",
    "installments_not_allowed",
    "split_rules_mixed",
    "split_total_exceeded",
    "split_not_supported",
    "plan_changed",
    "idempotency_key_payload_mismatch",
    "idempotency_key_in_progress",
  ],
  examples: {
    token: {
      summary: "A card from a token, captured at once",
      body: {
        merchantId: "{{merchantId}}",
        amount: 10500,
        capture: true,
        orderId: "A-1001",
        statementDescriptor: "LOJA AZUL",
        paymentMethod: { paymentType: "credit", installments: 3 },
        paymentSource: { sourceType: "token", tokenId: "{{tokenId}}" },
      },
    },
    savedCard: {
      summary: "A saved card, held only",
      body: {
        merchantId: "{{merchantId}}",
        amount: 5000,
        paymentMethod: { paymentType: "credit" },
        paymentSource: { sourceType: "card", cardId: "{{cardId}}" },
      },
    },
    pix: {
      summary: "Pix that lives for an hour",
      body: {
        merchantId: "{{merchantId}}",
        amount: 4990,
        paymentMethod: { paymentType: "pix", expiresIn: 3600 },
        paymentSource: { sourceType: "customer", customerId: "{{customerId}}" },
      },
    },
    boleto: {
      summary: "Boleto due in seven days",
      body: {
        merchantId: "{{merchantId}}",
        amount: 25000,
        paymentMethod: { paymentType: "boleto", instructions: "Pagar até o vencimento" },
        paymentSource: { sourceType: "customer", customerId: "{{customerId}}" },
      },
    },
  },
  handle: async (ctx, { body, headers }, answer) =>
    answer.as(chargeReply("charge.create", await chargeByKey(ctx, body, headers.get("x-captcha-token")))),
});

export const GET = endpoint({
  method: "GET",
  path: "/v1/charges",
  tag: "Charges",
  summary: "List charges",
  access: ["charges"],
  query: chargeFilters,
  reply: listOf(chargeBody),
  status: 200,
  examples: {
    authorized: {
      summary: "Captured card payments",
      query: { status: "authorized", paymentType: "credit", limit: "20" },
    },
  },
  async handle(ctx, { query }) {
    const { items, totalItems } = await listCharges(ctx, query);
    return envelope(query, { items: items.map(serializeCharge), totalItems });
  },
});

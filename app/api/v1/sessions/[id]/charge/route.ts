import { endpoint } from "@/app/api/endpoint";
import { chargeReply } from "@/lib/charges/answer";
import { sessionChargeBody } from "@/lib/charges/schema";
import { chargeSession } from "@/lib/session-payments/pay";
import { newSessionCharge } from "@/lib/session-payments/schema";
import { sessionParams } from "@/lib/sessions/schema";

const paidBy = (paymentMethod: object, paymentSource: object) => ({ paymentMethod, paymentSource });

export const POST = endpoint({
  method: "POST",
  path: "/v1/sessions/{id}/charge",
  tag: "Sessions",
  summary: "Pay a session",
  description:
    "Amount, currency, capture, merchant and split rules are the session's. A refused payment is a valid answer: 201 with status failed and an `error` member, and the session may be tried again. On a session that is paid once, a new attempt first closes its own open Pix, boleto or wallet payment. With the session's key or a public one, `X-Captcha-Token` is needed when the session asks for a captcha, and after a refused card; a public key gets its question from `GET /v1/captcha`.",
  access: ["sessions"],
  session: true,
  limit: "payments",
  scenario: true,
  planned: true,
  captcha: true,
  inBand: true,
  kind: "session.pay",
  cardAt: ["paymentSource", "card"],
  params: sessionParams,
  body: newSessionCharge,
  reply: sessionChargeBody,
  status: 201,
  errors: [
    "plan_changed",
    "multiple_payments_limit_reached",
    "session_disabled",
    "captcha_required",
    "captcha_invalid",
    "session_amount_zero",
    "payment_method_not_allowed",
    "session_installments_not_allowed",
    "customer_not_found",
    "card_not_found",
    "card_not_usable",
    "cvv_required",
    "token_not_usable",
    "default_card_missing",
    "provider_not_available",
    "payment_method_not_supported",
    "currency_not_supported",
    "installments_not_allowed",
    "split_not_supported",
    "idempotency_key_payload_mismatch",
    "idempotency_key_in_progress",
  ],
  examples: {
    token: {
      summary: "A card from a token, in three parts",
      body: paidBy({ paymentType: "credit", installments: 3 }, { sourceType: "token", tokenId: "{{tokenId}}" }),
    },
    pix: {
      summary: "Pix, for half an hour",
      body: paidBy({ paymentType: "pix", expiresIn: 1800 }, { sourceType: "customer", customerId: "{{customerId}}" }),
    },
  },
  handle: async (ctx, { params, body, headers }, answer) =>
    answer.as(chargeReply("session.pay", await chargeSession(ctx, params.id, body, headers.get("x-captcha-token")))),
});

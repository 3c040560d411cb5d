import { endpoint } from "@/app/api/endpoint";
import { now } from "@/lib/context";
import { envelope } from "@/lib/http/pagination";
import { readSessions } from "@/lib/sessions/read";
import { newSession, sessionBody, sessionFilters, sessionList } from "@/lib/sessions/schema";
import { serializeSession } from "@/lib/sessions/serializer";
import { createSession } from "@/lib/sessions/service";

export const POST = endpoint({
  method: "POST",
  path: "/v1/sessions",
  tag: "Sessions",
  summary: "Create a session",
  description:
    "An order that is paid with the session's own key, or with `createLink` on the hosted page too. Without `maxPayments` it is paid once; the amount defaults to the sum of the items. A due date without a time means the end of that day in São Paulo.",
  access: ["sessions"],
  body: newSession,
  reply: sessionBody,
  status: 200,
  errors: [
    "merchant_not_found",
    "customer_not_found",
    "seller_not_found",
    "vendor_not_found",
    "currency_not_supported",
    "session_amount_zero",
    "split_rules_mixed",
    "split_total_exceeded",
    "pix_boleto_multiple_payments_not_allowed",
    "platform_fee_exceeds_link_amount",
    "idempotency_key_payload_mismatch",
  ],
  examples: {
    link: {
      summary: "A link for one order, by card in up to six parts or by Pix",
      body: {
        merchantId: "{{merchantId}}",
        name: "Pedido 1001",
        orderId: "A-1001",
        statementDescriptor: "LOJA AZUL",
        createLink: true,
        paymentMethods: [
          { paymentType: "credit", installments: 6 },
          { paymentType: "pix", expiresIn: 3600 },
        ],
        items: [{ name: "Tênis", unitPrice: 10500, quantity: 1, tangible: true }],
      },
    },
    many: {
      summary: "A link that fifty buyers may pay until the end of 2030",
      body: {
        merchantId: "{{merchantId}}",
        name: "Ingresso",
        createLink: true,
        captchaEnabled: true,
        maxPayments: 50,
        dueDate: "2030-12-31",
        paymentMethods: [{ paymentType: "credit", installments: 1 }],
        items: [{ name: "Ingresso", unitPrice: 8000, quantity: 1 }],
      },
    },
    customer: {
      summary: "For a saved buyer, held only",
      body: {
        merchantId: "{{merchantId}}",
        customerId: "{{customerId}}",
        capture: false,
        amount: 25000,
        paymentMethods: [{ paymentType: "credit", installments: 12 }],
        items: [{ name: "Reserva", unitPrice: 25000, quantity: 1 }],
      },
    },
  },
  handle: async (ctx, { body }) => serializeSession(await createSession(ctx, body), now(ctx)),
});

export const GET = endpoint({
  method: "GET",
  path: "/v1/sessions",
  tag: "Sessions",
  summary: "List sessions",
  description: "Newest first, whatever `order` says. A public key sees what it created.",
  access: ["sessions"],
  query: sessionFilters,
  reply: sessionList,
  status: 200,
  examples: {
    newest: { summary: "The ten newest" },
    open: { summary: "Those that can be paid now", query: { status: "created", "multiplePayments.status": "active" } },
    order: { summary: "Of one order", query: { orderId: "A-1001" } },
  },
  handle: async (ctx, { query }) => envelope(query, await readSessions(ctx, query)),
});

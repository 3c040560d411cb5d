import { z } from "zod";
import type { Contract, Exchanged } from "@/lib/testing/providers/kit/contract";

/**
 * What Mercado Pago's reference (mercadopago.com.br/developers, Payments) and the types of its SDK 3.6.1 say of the calls
 * that are made here, read on 2026-11-23. It publishes no document that a machine reads. Unknown members are refused on
 * both sides; members that we neither send nor read are left out.
 */
const text = (most: number) => z.string().min(1).max(most);
/** Reais, with at most two decimals. */
const money = z
  .number()
  .min(0)
  .refine((value) => Math.abs(value * 100 - Math.round(value * 100)) < 1e-4);
const identification = z.strictObject({ type: z.enum(["CPF", "CNPJ"]), number: text(20) });
const payer = z.strictObject({
  email: text(100).optional(),
  first_name: text(60),
  last_name: text(60).optional(),
  identification: identification.optional(),
  address: z
    .strictObject({
      zip_code: z.string().regex(/^\d{8}$/),
      street_name: text(100),
      street_number: text(20),
      neighborhood: text(100),
      city: text(100),
      federal_unit: z.string().regex(/^[A-Z]{2}$/),
    })
    .optional(),
});
const metadata = z.record(z.string(), z.unknown());
const PAYMENT = {
  transaction_amount: money,
  external_reference: text(64),
  description: text(250),
  metadata,
  payer,
};
const date = z.iso.datetime({ offset: true });
const paymentRequest = z.union([
  z.strictObject({
    ...PAYMENT,
    token: text(64),
    payment_method_id: z.enum(["visa", "master", "elo", "amex", "hipercard", "debvisa", "debmaster", "debelo"]),
    installments: z.int().min(1).max(24),
    capture: z.boolean(),
    binary_mode: z.boolean(),
    statement_descriptor: text(13).optional(),
  }),
  z.strictObject({
    ...PAYMENT,
    payment_method_id: z.enum(["pix", "bolbradesco"]),
    date_of_expiration: date,
  }),
]);
const updateRequest = z.union([
  z.strictObject({ capture: z.literal(true), transaction_amount: money }),
  z.strictObject({ status: z.literal("cancelled") }),
  z.strictObject({ metadata }),
]);
const tokenRequest = z.strictObject({
  card_number: z.string().regex(/^\d{13,19}$/),
  expiration_month: z.int().min(1).max(12),
  expiration_year: z.int().min(2020).max(2099),
  security_code: z
    .string()
    .regex(/^\d{3,4}$/)
    .optional(),
  cardholder: z.strictObject({ name: text(60), identification: identification.optional() }),
});

const nullable = <T extends z.ZodType>(schema: T) => schema.nullable().optional();
const refund = z.strictObject({
  id: z.int(),
  payment_id: z.int(),
  amount: money,
  metadata,
  source: z.strictObject({ id: z.string(), name: z.string(), type: z.string() }),
  date_created: date,
  status: z.enum(["approved", "in_process", "rejected", "cancelled"]),
  refund_mode: z.string(),
  adjustment_amount: money,
  reason: z.null(),
});
const payment = z.strictObject({
  id: z.int(),
  date_created: date,
  date_approved: nullable(date),
  date_last_updated: date,
  date_of_expiration: nullable(date),
  payment_method_id: z.string(),
  payment_type_id: z.string(),
  status: z.string(),
  status_detail: z.string(),
  currency_id: z.string(),
  description: z.string(),
  live_mode: z.boolean(),
  authorization_code: nullable(z.string()),
  collector_id: z.int(),
  metadata,
  external_reference: z.string(),
  transaction_amount: money,
  transaction_amount_refunded: money,
  installments: z.int(),
  captured: z.boolean(),
  binary_mode: z.boolean(),
  statement_descriptor: nullable(z.string()),
  refunds: z.array(refund),
  transaction_details: z.strictObject({
    net_received_amount: money,
    total_paid_amount: money,
    external_resource_url: nullable(z.string()),
    digitable_line: nullable(z.string()),
    barcode: nullable(z.strictObject({ content: z.string() })),
  }),
  point_of_interaction: nullable(
    z.strictObject({
      type: z.string(),
      transaction_data: nullable(
        z.strictObject({ qr_code: z.string(), qr_code_base64: z.string(), ticket_url: z.string() }),
      ),
    }),
  ),
});
const errorAnswer = z.strictObject({
  message: z.string(),
  error: z.string(),
  status: z.int(),
  cause: z.array(z.strictObject({ code: z.int(), description: z.string() })),
});

interface Operation {
  query?: readonly string[];
  request?: z.ZodType;
  answer: z.ZodType;
}
const OPERATIONS: Readonly<Record<string, Operation>> = {
  "POST /v1/card_tokens": { request: tokenRequest, answer: z.strictObject({ id: z.string(), status: z.string() }) },
  "POST /v1/payments": { request: paymentRequest, answer: payment },
  "GET /v1/payments/id": { answer: payment },
  "PUT /v1/payments/id": { request: updateRequest, answer: payment },
  "GET /v1/payments/search": {
    query: ["external_reference", "sort", "criteria", "limit", "offset", "range", "begin_date", "end_date"],
    answer: z.strictObject({
      paging: z.strictObject({ total: z.int(), limit: z.int(), offset: z.int() }),
      results: z.array(payment),
    }),
  },
  "POST /v1/payments/id/refunds": { request: z.strictObject({ amount: money }), answer: refund },
  "GET /v1/payments/id/refunds": { answer: z.array(refund) },
};

export const operationOf = ({ method, path }: Pick<Exchanged, "method" | "path">): string =>
  `${method} ${path.replace(/\/payments\/(?!search$)[^/]+/, "/payments/id")}`;

const REFUSED = 400;
const said = (where: string, { error }: { error?: z.ZodError | undefined }): string[] =>
  (error?.issues ?? []).slice(0, 5).map(({ path, message }) => `${where}: ${path.join(".")} ${message}`);

export const mercadoPagoContract: Contract = {
  requestBreaches(request) {
    const name = operationOf(request);
    const known = OPERATIONS[name];
    if (!known) return [`${name} is not in the reference`];
    const foreign = [...(request.query?.keys() ?? [])].filter((one) => !known.query?.includes(one));
    return [
      ...foreign.map((one) => `${name} has no member ${one} in its query`),
      ...(known.request ? said(name, known.request.safeParse(request.body)) : []),
    ];
  },
  answerBreaches(request, status, body) {
    const name = operationOf(request);
    const schema = status >= REFUSED ? errorAnswer : OPERATIONS[name]?.answer;
    return schema ? said(`${status} of ${name}`, schema.safeParse(body)) : [];
  },
};

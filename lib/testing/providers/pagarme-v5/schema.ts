import { z } from "zod";
import type { Contract, Exchanged } from "@/lib/testing/providers/kit/contract";

/**
 * What Pagar.me's reference (docs.pagar.me/reference, version 5) and the schemas of its SDK 7.0.2 say of the calls that
 * are made here, read on 2026-11-23. It publishes no document that a machine reads. Unknown members are refused on both
 * sides; members that we neither send nor read are left out.
 */
const text = (most: number) => z.string().min(1).max(most);
const cents = z.int().min(0);
const metadata = z.record(z.string().max(64), z.string().max(256));
const address = z.strictObject({
  line_1: text(256),
  line_2: text(256).optional(),
  zip_code: z.string().regex(/^\d{1,16}$/),
  city: text(64),
  state: z.string().regex(/^[A-Z]{2}$/),
  country: z.string().regex(/^[A-Z]{2}$/),
});
const phone = z.strictObject({
  country_code: z.string().regex(/^\d{1,3}$/),
  area_code: z.string().regex(/^\d{2}$/),
  number: z.string().regex(/^\d{8,9}$/),
});
const customer = z.strictObject({
  name: text(64),
  type: z.enum(["individual", "company"]),
  email: text(64).optional(),
  document: text(50).optional(),
  document_type: z.enum(["CPF", "CNPJ", "PASSPORT"]).optional(),
  phones: z.strictObject({ mobile_phone: phone }).optional(),
  address: address.optional(),
});
const split = z
  .array(
    z.strictObject({
      type: z.enum(["flat", "percentage"]),
      amount: z.int().min(1),
      recipient_id: z.string().min(1),
      options: z.strictObject({
        liable: z.boolean(),
        charge_processing_fee: z.boolean(),
        charge_remainder_fee: z.boolean(),
      }),
    }),
  )
  .min(1)
  .optional();
const card = z.strictObject({
  number: z.string().regex(/^\d{13,19}$/),
  holder_name: text(64),
  exp_month: z.int().min(1).max(12),
  exp_year: z.int().min(2020).max(2099),
  cvv: z
    .string()
    .regex(/^\d{3,4}$/)
    .optional(),
  holder_document: text(50).optional(),
  billing_address: address.optional(),
});
const CARD = {
  statement_descriptor: text(13).optional(),
  recurrency_cycle: z.enum(["first", "subsequent"]).optional(),
  payment_origin: z.strictObject({ brand_id: text(100) }).optional(),
  card,
};
const late = z.strictObject({ days: z.int().min(1), type: z.enum(["flat", "percentage"]), amount: z.number().min(0) });
const COMMON = { amount: z.int().min(1).max(2_147_483_647), metadata, split };
const payment = z.discriminatedUnion("payment_method", [
  z.strictObject({
    payment_method: z.literal("credit_card"),
    credit_card: z.strictObject({
      operation_type: z.enum(["auth_only", "auth_and_capture"]),
      installments: z.int().min(1).max(24),
      ...CARD,
    }),
    ...COMMON,
  }),
  z.strictObject({ payment_method: z.literal("debit_card"), debit_card: z.strictObject(CARD), ...COMMON }),
  z.strictObject({ payment_method: z.literal("voucher"), voucher: z.strictObject(CARD), ...COMMON }),
  z.strictObject({
    payment_method: z.literal("pix"),
    pix: z.strictObject({
      expires_in: z.int().min(1),
      additional_information: z.array(z.strictObject({ Name: text(50), Value: text(50) })).optional(),
    }),
    ...COMMON,
  }),
  z.strictObject({
    payment_method: z.literal("boleto"),
    boleto: z.strictObject({
      due_at: z.iso.datetime(),
      document_number: text(16),
      type: z.enum(["DM", "BDP"]),
      instructions: text(256).optional(),
      billing_address: address,
      fine: late.optional(),
      interest: late.optional(),
    }),
    ...COMMON,
  }),
]);
const orderRequest = z.strictObject({
  code: text(52),
  closed: z.literal(true),
  antifraud_enabled: z.literal(false),
  items: z
    .array(z.strictObject({ amount: z.int().min(1), description: text(256), quantity: z.int().min(1), code: text(52) }))
    .min(1),
  customer,
  payments: z.array(payment).min(1),
  metadata,
});
const captureRequest = z.strictObject({
  code: z.string().optional(),
  amount: z.int().min(1),
  operation_reference: text(64),
  split,
});
const cancelRequest = z.strictObject({ amount: z.int().min(1).optional(), operation_reference: text(64), split });

const account = z.strictObject({
  holder_name: text(30),
  holder_type: z.enum(["individual", "company"]),
  holder_document: text(14),
  bank: z.string().regex(/^\d{3}$/),
  branch_number: z.string().regex(/^\d{1,4}$/),
  branch_check_digit: text(1).optional(),
  account_number: z.string().regex(/^\d{1,13}$/),
  account_check_digit: text(2),
  type: z.enum(["checking", "savings"]),
  pix_key: text(77).optional(),
});
const registeredAddress = z.strictObject({
  street: text(256),
  complementary: text(256),
  street_number: text(20),
  neighborhood: text(256),
  city: text(256),
  state: z.string().regex(/^[A-Z]{2}$/),
  zip_code: z.string().regex(/^\d{8}$/),
  reference_point: text(256),
});
const PERSON = {
  name: text(128),
  email: text(128),
  document: text(14),
  birthdate: z.string().regex(/^\d{2}\/\d{2}\/\d{4}$/),
  monthly_income: z.int().min(0),
  professional_occupation: text(256),
  address: registeredAddress,
  phone_numbers: z.array(
    z.strictObject({
      ddd: z.string().regex(/^\d{2}$/),
      number: z.string().regex(/^\d{8,9}$/),
      type: z.enum(["mobile", "home"]),
    }),
  ),
};
const settings = z.strictObject({
  transfer_enabled: z.boolean(),
  transfer_interval: z.enum(["daily", "weekly", "monthly"]),
  transfer_day: z.int().min(0).max(31),
});
const anticipation = z.strictObject({
  enabled: z.boolean(),
  type: z.enum(["full", "1025"]).optional(),
  volume_percentage: z.number().min(1).max(100).optional(),
  days: z.array(z.int().min(1).max(31)).optional(),
  delay: z.int().min(0).optional(),
});
const recipientRequest = z.strictObject({
  code: text(52),
  register_information: z.discriminatedUnion("type", [
    z.strictObject({ type: z.literal("individual"), ...PERSON }),
    z.strictObject({
      type: z.literal("corporation"),
      company_name: text(128),
      trading_name: text(128),
      email: text(128),
      document: text(14),
      annual_revenue: z.int().min(0),
      founding_date: z.string().optional(),
      site_url: z.string().optional(),
      main_address: registeredAddress,
      phone_numbers: PERSON.phone_numbers,
      managing_partners: z.array(z.strictObject({ ...PERSON, self_declared_legal_representative: z.boolean() })).min(1),
    }),
  ]),
  default_bank_account: account,
  transfer_settings: settings,
  automatic_anticipation_settings: anticipation.optional(),
  metadata,
});

const nullable = <T extends z.ZodType>(schema: T) => schema.nullable().optional();
const at = z.iso.datetime();
const transaction = z.strictObject({
  id: z.string().startsWith("tran_"),
  transaction_type: z.enum(["credit_card", "debit_card", "voucher", "pix", "boleto"]),
  operation_type: nullable(z.enum(["auth_only", "auth_and_capture", "capture", "cancel"])),
  gateway_id: nullable(z.string()),
  amount: cents,
  status: z.string(),
  success: z.boolean(),
  created_at: at,
  updated_at: at,
  installments: nullable(z.int()),
  statement_descriptor: nullable(z.string()),
  acquirer_name: nullable(z.string()),
  acquirer_tid: nullable(z.string()),
  acquirer_nsu: nullable(z.string()),
  acquirer_auth_code: nullable(z.string()),
  acquirer_message: nullable(z.string()),
  acquirer_return_code: nullable(z.string()),
  brand_id: nullable(z.string()),
  card: nullable(
    z.strictObject({
      id: z.string(),
      first_six_digits: z.string(),
      last_four_digits: z.string(),
      brand: z.string(),
      holder_name: z.string(),
      exp_month: z.int(),
      exp_year: z.int(),
      status: z.string(),
      type: z.string(),
      created_at: at,
      updated_at: at,
    }),
  ),
  retry_info: nullable(
    z.strictObject({
      brand_failure_return_code: nullable(z.string()),
      transaction_limit: nullable(z.int()),
      transaction_date_limit: nullable(z.string()),
    }),
  ),
  gateway_response: nullable(z.strictObject({ code: z.string(), errors: z.array(z.unknown()) })),
  antifraud_response: nullable(z.strictObject({})),
  metadata: nullable(metadata),
  split: nullable(z.array(z.unknown())),
  qr_code: nullable(z.string()),
  qr_code_url: nullable(z.string()),
  expires_at: nullable(at),
  end_to_end_id: nullable(z.string()),
  url: nullable(z.string()),
  pdf: nullable(z.string()),
  line: nullable(z.string()),
  barcode: nullable(z.string()),
  nosso_numero: nullable(z.string()),
  due_at: nullable(at),
});
const CHARGE = {
  id: z.string().startsWith("ch_"),
  code: z.string(),
  gateway_id: z.string(),
  amount: cents,
  paid_amount: cents.optional(),
  canceled_amount: cents.optional(),
  status: z.enum(["pending", "paid", "canceled", "processing", "failed", "overpaid", "underpaid", "chargedback"]),
  currency: z.string(),
  payment_method: z.string(),
  paid_at: at.optional(),
  canceled_at: at.optional(),
  created_at: at,
  updated_at: at,
  pending_cancellation: z.boolean(),
  metadata,
  last_transaction: transaction,
};
const chargeAnswer = z.strictObject({ ...CHARGE, order: z.strictObject({ id: z.string(), code: z.string() }) });
const orderAnswer = z.strictObject({
  id: z.string().startsWith("or_"),
  code: z.string(),
  amount: cents,
  currency: z.string(),
  closed: z.boolean(),
  items: z.array(z.unknown()),
  status: z.enum(["pending", "paid", "canceled", "failed"]),
  created_at: at,
  updated_at: at,
  charges: z.array(z.strictObject(CHARGE)),
  metadata,
});
const paging = z.strictObject({ total: z.int() });
const recipientAnswer = z.strictObject({
  id: z.string().startsWith("re_"),
  name: z.string(),
  code: nullable(z.string()),
  status: z.enum(["registration", "affiliation", "active", "refused", "suspended", "blocked", "inactive"]),
  status_reason: nullable(z.string()),
  kyc_details: nullable(z.strictObject({ status: z.string(), status_reason: nullable(z.string()) })),
  created_at: at,
  updated_at: at,
});
const payable = z.strictObject({
  id: z.string(),
  status: z.string(),
  amount: z.int(),
  fee: cents,
  anticipation_fee: cents,
  installment: z.int(),
  gateway_id: z.string(),
  charge_id: z.string(),
  split_id: z.null(),
  bulk_anticipation_id: z.null(),
  recipient_id: z.null(),
  originator_model: z.null(),
  originator_model_id: z.null(),
  original_payment_date: z.null(),
  type: z.enum(["credit", "refund", "chargeback", "chargeback_refund"]),
  payment_method: z.string(),
  created_at: at,
  settlement_id: z.null(),
  payment_profile_id: z.null(),
});
const errorAnswer = z.strictObject({ message: z.string(), errors: z.record(z.string(), z.unknown()).optional() });

interface Operation {
  query?: readonly string[];
  request?: z.ZodType;
  answer: z.ZodType;
}
const OPERATIONS: Readonly<Record<string, Operation>> = {
  "POST /orders": { request: orderRequest, answer: orderAnswer },
  "GET /orders": {
    query: ["page", "size", "code", "status", "created_since", "created_until", "customer_id"],
    answer: z.strictObject({ data: z.array(orderAnswer), paging }),
  },
  "GET /orders/id": { answer: orderAnswer },
  "GET /charges/id": { answer: chargeAnswer },
  "GET /charges/id/transactions": {
    query: ["page", "size"],
    answer: z.strictObject({ data: z.array(transaction), paging }),
  },
  "POST /charges/id/capture": { request: captureRequest, answer: chargeAnswer },
  "DELETE /charges/id": { request: cancelRequest, answer: chargeAnswer },
  "PATCH /charges/id/metadata": { request: z.strictObject({ metadata }), answer: chargeAnswer },
  "GET /payables": {
    query: ["charge_id", "size", "type", "status", "recipient_id", "payment_date_since", "payment_date_until"],
    answer: z.strictObject({ data: z.array(payable), paging: z.strictObject({}) }),
  },
  "POST /recipients": { request: recipientRequest, answer: recipientAnswer },
  "GET /recipients": { query: ["page", "size"], answer: z.strictObject({ data: z.array(recipientAnswer), paging }) },
  "GET /recipients/id": { answer: recipientAnswer },
  "PATCH /recipients/id/default-bank-account": {
    request: z.strictObject({ bank_account: account, payment_mode: z.literal("bank_transfer") }),
    answer: recipientAnswer,
  },
  "PATCH /recipients/id/transfer-settings": { request: settings, answer: recipientAnswer },
  "PATCH /recipients/id/automatic-anticipation-settings": { request: anticipation, answer: recipientAnswer },
};

export const PREFIX = "/core/v5";

/** `POST /core/v5/charges/ch_1/capture` as `POST /charges/id/capture`. */
export function operationOf({ method, path }: Pick<Exchanged, "method" | "path">): string {
  const [resource = "", id, action] = path.replace(`${PREFIX}/`, "").split("/");
  return `${method} /${resource}${id === undefined ? "" : "/id"}${action === undefined ? "" : `/${action}`}`;
}

const REFUSED = 400;
const said = (where: string, { error }: { error?: z.ZodError | undefined }): string[] =>
  (error?.issues ?? []).slice(0, 5).map(({ path, message }) => `${where}: ${path.join(".")} ${message}`);

export const pagarmeContract: Contract = {
  requestBreaches(request) {
    const name = operationOf(request);
    const known = OPERATIONS[name];
    if (!known || !request.path.startsWith(PREFIX)) return [`${name} is not in the reference`];
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

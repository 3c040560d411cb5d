import { z } from "zod";
import { CHARGE_STATUSES } from "@/db/schema/charges";
import { BATCH_STATUSES } from "@/db/schema/payouts";
import { PREPAYMENT_STATUSES } from "@/db/schema/prepayments";
import { PURCHASE_STATUSES } from "@/db/schema/purchases";
import { RECEIVABLE_STATUSES, RECEIVABLE_TYPES } from "@/db/schema/receivables";
import { REPORT_CRONS, REPORT_FORMATS, REPORT_LANGUAGES, REPORT_STATUSES, REPORT_TYPES } from "@/db/schema/reports";
import { SELLER_STATUSES } from "@/db/schema/sellers";
import { SESSION_STATUSES } from "@/db/schema/sessions";
import { SUBSCRIPTION_STATUSES } from "@/db/schema/subscriptions";
import { DELIVERY_STATUSES } from "@/db/schema/webhooks";
import { LIST_STATES } from "@/lib/charges/list-states";
import { DISPUTE_STAGES } from "@/lib/disputes/queries";
import { commaList, instantIn, instantOut, isCalendarDay, optional, uuid } from "@/lib/http/fields";
import { listOf, pageQuery } from "@/lib/http/pagination";
import { PAYMENT_TYPES } from "@/lib/payments/methods";
import type { Moment } from "@/lib/reports/span";

/** An instant, or a day of the report's zone. */
const moment = z
  .string()
  .transform((given, issues): Moment => {
    if (isCalendarDay(given)) return { day: given };
    const { data, error } = instantIn.safeParse(given);
    if (!error) return { at: data };
    issues.addIssue({ code: "custom", message: "must be an RFC 3339 date-time or a date" });
    return z.NEVER;
  })
  .meta({ type: "string", description: "an instant, or a date = that day of `timezone`" });

const span = optional(z.object({ gte: optional(moment), lte: optional(moment) })).meta({
  description: "Both ends included; at most 366 days, which is the default",
});
const several = <const T extends readonly [string, ...string[]]>(values: T) =>
  optional(z.array(z.enum(values)).min(1, "must not be empty"));

const transactionFilters = z
  .object({
    transactionCreatedAt: span,
    transactionRequestPaymentMethod: several(PAYMENT_TYPES),
    transactionSourcePaymentMethod: several(PAYMENT_TYPES).meta({
      description: "The same as transactionRequestPaymentMethod",
    }),
    transactionStatus: several([...CHARGE_STATUSES, "created"]).meta({ description: "`created` matches pending" }),
    transactionState: optional(z.array(z.enum(LIST_STATES)).min(1, "must not be empty")).meta({
      description: "As the dashboard's list: tells refunds, released authorizations and expired payments apart",
    }),
    transactionMerchantId: optional(uuid),
    transactionProviderId: optional(uuid).meta({ description: "Of the last request to a provider" }),
    transactionId: optional(uuid),
  })
  .meta({ id: "TransactionReportFilters" });
const madeAt = { createdAt: span };
const receivableFilters = z
  .object({
    ...madeAt,
    merchantId: optional(uuid),
    sellerId: optional(uuid),
    chargeId: optional(uuid),
    status: several(RECEIVABLE_STATUSES),
    type: several(RECEIVABLE_TYPES),
  })
  .meta({ id: "ReceivableReportFilters" });
const orderFilters = z
  .object({ ...madeAt, merchantId: optional(uuid), sellerId: optional(uuid), chargeId: optional(uuid) })
  .meta({ id: "PaymentOrderReportFilters" });
const batchFilters = z
  .object({ ...madeAt, merchantId: optional(uuid), sellerId: optional(uuid), status: several(BATCH_STATUSES) })
  .meta({ id: "PaymentBatchReportFilters" });
const subscriptionFilters = z
  .object({ ...madeAt, merchantId: optional(uuid), customerId: optional(uuid), status: several(SUBSCRIPTION_STATUSES) })
  .meta({ id: "SubscriptionReportFilters" });
const ledgerFilters = z
  .object({ ...madeAt, merchantId: optional(uuid), chargeId: optional(uuid) })
  .meta({ id: "LedgerReportFilters" });
const sellerFilters = z
  .object({ ...madeAt, merchantId: optional(uuid), status: several(SELLER_STATUSES) })
  .meta({ id: "SellerReportFilters" });
const customerFilters = z.object(madeAt).meta({ id: "CustomerReportFilters" });
const deliveryFilters = z
  .object({ ...madeAt, webhookId: optional(uuid), status: several(DELIVERY_STATUSES) })
  .meta({ id: "DeliveryReportFilters" });

const purchaseFilters = z
  .object({ ...madeAt, merchantId: optional(uuid), sessionId: optional(uuid), status: several(PURCHASE_STATUSES) })
  .meta({ id: "PurchaseReportFilters" });
const sessionFilters = z
  .object({
    ...madeAt,
    merchantId: optional(uuid),
    status: several(SESSION_STATUSES),
    isActive: optional(z.boolean()),
  })
  .meta({ id: "SessionReportFilters" });
const disputeFilters = z
  .object({ ...madeAt, merchantId: optional(uuid), chargeId: optional(uuid), stage: several(DISPUTE_STAGES) })
  .meta({ id: "DisputeReportFilters" });
const prepaymentFilters = z
  .object({ ...madeAt, merchantId: optional(uuid), sellerId: optional(uuid), status: several(PREPAYMENT_STATUSES) })
  .meta({ id: "PrepaymentReportFilters" });

const NO_FIELDS = "must be all or a list of fields";

export const reportAddress = z.email("must be an e-mail address").max(254);

const shared = {
  sendTo: reportAddress.meta({ description: "Of a member of the account, or confirmed once by its link" }),
  fields: z
    .union([z.literal("all"), z.array(z.string().max(100)).min(1, NO_FIELDS).max(200, NO_FIELDS)], {
      error: NO_FIELDS,
    })
    .meta({ description: "`all`, or the identifiers in the order of the columns: `GET /v1/reports/fields`" }),
  format: z.enum(REPORT_FORMATS).default("csv"),
  delimiter: z.enum(["comma", "semicolon"]).default("comma").meta({ description: "Brazilian Excel opens semicolons" }),
  amounts: z
    .enum(["cents", "decimal"])
    .default("cents")
    .meta({ description: "decimal: 1234.56, in Portuguese 1234,56" }),
  bom: z.boolean().default(true),
};

export const newReport = z
  .discriminatedUnion(
    "type",
    [
      z.object({ type: z.literal("transactions"), ...shared, filters: transactionFilters }),
      z.object({ type: z.literal("transactionsHistory"), ...shared, filters: transactionFilters }),
      z.object({ type: z.literal("purchases"), ...shared, filters: purchaseFilters }),
      z.object({ type: z.literal("sessions"), ...shared, filters: sessionFilters }),
      z.object({ type: z.literal("disputes"), ...shared, filters: disputeFilters }),
      z.object({ type: z.literal("receivables"), ...shared, filters: receivableFilters }),
      z.object({ type: z.literal("payout_orders"), ...shared, filters: orderFilters }),
      z.object({ type: z.literal("payout_batches"), ...shared, filters: batchFilters }),
      z.object({ type: z.literal("prepayments"), ...shared, filters: prepaymentFilters }),
      z.object({ type: z.literal("subscriptions"), ...shared, filters: subscriptionFilters }),
      z.object({ type: z.literal("ledger"), ...shared, filters: ledgerFilters }),
      z.object({ type: z.literal("sellers"), ...shared, filters: sellerFilters }),
      z.object({ type: z.literal("customers"), ...shared, filters: customerFilters }),
      z.object({ type: z.literal("deliveries"), ...shared, filters: deliveryFilters }),
    ],
    { error: `must be one of ${REPORT_TYPES.join(", ")}` },
  )
  .meta({ id: "NewReport" });
export type NewReport = z.output<typeof newReport>;

export const reportParams = z.object({ id: uuid });
export const reportFileParams = z.object({
  id: uuid,
  pageNumber: z
    .string()
    .regex(/^[1-9]\d{0,5}$/, "must be a whole number from 1")
    .transform(Number)
    .meta({ type: "integer", minimum: 1 }),
});

export const reportFilters = pageQuery.extend({
  status: commaList(REPORT_STATUSES).optional(),
  type: commaList(REPORT_TYPES).optional(),
});
export type ReportFilters = z.output<typeof reportFilters>;

const rows = z.int().min(0);

export const reportBody = z
  .object({
    id: z.uuid(),
    clientId: z.uuid(),
    email: z.string(),
    language: z.enum(REPORT_LANGUAGES),
    type: z.enum(REPORT_TYPES),
    status: z.enum(REPORT_STATUSES),
    pagesCount: z.int().optional(),
    files: z.array(z.string()).optional(),
    fields: z.array(z.string()),
    filters: z.looseObject({}),
    timezone: z.string(),
    format: z.enum(REPORT_FORMATS),
    delimiter: z.enum(["comma", "semicolon"]),
    amounts: z.enum(["cents", "decimal"]),
    bom: z.boolean(),
    awaitingConfirmation: z.boolean().meta({ description: "The e-mail waits until its address is confirmed" }),
    progress: z.object({ rows, total: rows }).meta({ description: "Rows written, of those that match" }),
    createdAt: instantOut,
    updatedAt: instantOut,
    expiredAt: instantOut.meta({ description: "The files are erased then" }),
  })
  .meta({ id: "Report", description: "An export of rows to files" });

export const reportList = listOf(reportBody);

const sums = z.record(z.string(), z.record(z.string(), z.int())).meta({
  description:
    "Of every amount column, over every row of the files whatever its status, by currency, in its smallest unit",
});

export const manifestBody = z
  .object({
    manifest: z.object({
      format: z.literal(1),
      reportId: z.uuid(),
      clientId: z.uuid(),
      type: z.enum(REPORT_TYPES),
      sqlVersion: z.int(),
      language: z.enum(REPORT_LANGUAGES),
      timezone: z.string(),
      fields: z.array(z.string()),
      filters: z.looseObject({}),
      since: z.string(),
      until: z.string(),
      options: z.looseObject({}),
      rows,
      sums,
      files: z.array(z.object({ name: z.string(), rows, bytes: z.int(), sha256: z.string(), sums })).meta({
        description: "Digests are of the plain file",
      }),
      position: z
        .object({ at: z.string(), journalId: z.uuid().nullable(), eventId: z.uuid().nullable() })
        .meta({ description: "The newest journal and event that the snapshot contains" }),
    }),
    algorithm: z.literal("Ed25519"),
    signature: z.string().meta({ description: "Base64, over `manifest` in canonical form (RFC 8785)" }),
    publicKey: z.string().meta({ description: "PEM; also at `GET /v1/reports/manifest-key`" }),
  })
  .meta({ id: "ReportManifest" });

export const manifestKeyBody = z
  .object({ algorithm: z.literal("Ed25519"), publicKey: z.string() })
  .meta({ id: "ReportManifestKey" });

export const fieldsQuery = z.object({ type: z.enum(REPORT_TYPES) });
export const fieldsBody = z
  .object({
    type: z.enum(REPORT_TYPES),
    fields: z.array(
      z.object({
        id: z.string(),
        labels: z.object({ en: z.string(), pt: z.string() }),
        kind: z.enum(["text", "number", "amount", "instant", "boolean"]),
        isPersonal: z.boolean(),
        isInAll: z.boolean(),
      }),
    ),
  })
  .meta({ id: "ReportFields", description: "What a type can show, in the order of `all`" });

export const newSchedule = z
  .object({
    name: z.string().trim().min(1, "must not be empty").max(80),
    cron: z.enum(REPORT_CRONS),
    time: z
      .string()
      .regex(/^([01]\d|2[0-3]):[0-5]\d$/, "must be HH:MM")
      .default("06:00")
      .meta({ description: "In the schedule's zone" }),
    report: newReport.meta({ description: "Its time span is the day, week or month before each run" }),
  })
  .meta({ id: "NewReportSchedule" });

export const scheduleBody = z
  .object({
    id: z.uuid(),
    name: z.string(),
    cron: z.enum(REPORT_CRONS).nullable().meta({ description: "null: kept in the dashboard to be made by hand" }),
    time: z.string().nullable(),
    timezone: z.string(),
    language: z.enum(REPORT_LANGUAGES),
    report: z.looseObject({}),
    createdAt: instantOut,
  })
  .meta({ id: "ReportSchedule", description: "A report that is made each day, week or month" });

export const scheduleList = z.object({ items: z.array(scheduleBody) }).meta({ id: "ReportScheduleList" });

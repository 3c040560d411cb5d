import { textOf } from "@/app/(dashboard)/task";
import { REPORT_TYPES, type ReportType } from "@/db/schema/reports";
import { readStates, statusesOf } from "@/lib/charges/list-states";
import { type NewReport, newReport } from "@/lib/reports/schema";
import type { SpanFault } from "@/lib/reports/span";

export const OF_A_MERCHANT: ReadonlySet<ReportType> = new Set<ReportType>([
  "transactions",
  "transactionsHistory",
  "purchases",
  "sessions",
  "disputes",
  "receivables",
  "payout_orders",
  "payout_batches",
  "prepayments",
  "ledger",
  "subscriptions",
  "sellers",
]);

export const isOfPayments = (type: ReportType): boolean => type === "transactions" || type === "transactionsHistory";
export const reportTypeIn = (text: string | undefined): ReportType =>
  REPORT_TYPES.find((type) => type === text) ?? "transactions";

const several = (form: FormData, name: string): string[] | undefined => {
  const values = form.getAll(name).filter((value): value is string => typeof value === "string" && value !== "");
  return values.length > 0 ? values : undefined;
};

/** The API's own words where they say the same. */
function statesIn(given: readonly string[] = []) {
  const states = readStates(given);
  if (states.length === 0) return {};
  const statuses = statusesOf(states);
  return statuses ? { transactionStatus: statuses } : { transactionState: states };
}

/** The request that the form stands for, in the members of the API. */
export function reportIn(form: FormData): { report: NewReport } | { unfit: string[] } {
  const type = reportTypeIn(textOf(form, "type"));
  const optional = (name: string) => textOf(form, name) || undefined;
  const span = { gte: optional("from"), lte: optional("to") };
  const filters = isOfPayments(type)
    ? {
        transactionCreatedAt: span,
        ...statesIn(several(form, "status")),
        transactionRequestPaymentMethod: several(form, "method"),
        transactionMerchantId: optional("merchant"),
      }
    : {
        createdAt: span,
        [type === "disputes" ? "stage" : "status"]: several(form, "status"),
        merchantId: optional("merchant"),
      };
  const parsed = newReport.safeParse({
    type,
    sendTo: textOf(form, "sendTo"),
    fields: several(form, "fields") ?? [],
    filters,
    format: optional("format"),
    delimiter: optional("delimiter"),
    amounts: optional("amounts"),
  });
  if (parsed.success) return { report: parsed.data };
  return { unfit: parsed.error.issues.map(({ path }) => fieldOf(path)) };
}

const fieldOf = (path: readonly PropertyKey[]): string => {
  const names = path.map(String);
  return names.includes("gte") ? "from" : names.includes("lte") ? "to" : (names[0] ?? "");
};

/** Which of the two days is to blame, where the span as a whole says nothing. */
export const SPAN_FIELDS: Readonly<Record<SpanFault, "from" | "to">> = {
  outside: "from",
  reversed: "to",
  long: "from",
};

import { endpoint } from "@/app/api/endpoint";
import { envelope } from "@/lib/http/pagination";
import { listReports } from "@/lib/reports/queries";
import { newReport, reportBody, reportFilters, reportList } from "@/lib/reports/schema";
import { serializeReport } from "@/lib/reports/serializer";
import { requestReport, voiceOf } from "@/lib/reports/service";

export const POST = endpoint({
  method: "POST",
  path: "/v1/reports",
  tag: "Reports",
  summary: "Request a report",
  description:
    "Rows that match, as they are at one moment, in files of 50,000. `accept-language` (en or pt) gives the labels, `X-User-Timezone` the zone of times and dates. The e-mail has links that work without a key until `expiredAt`; to an address that is nobody's of the account it waits until that was confirmed. A public key exports what was made with it, without personal data, to a confirmed address.",
  access: ["reports"],
  body: newReport,
  reply: reportBody,
  status: 201,
  errors: ["merchant_not_found", "provider_not_found", "report_limit_reached"],
  examples: {
    month: {
      summary: "Paid Pix of a month, by the days of the report's zone",
      body: {
        sendTo: "fin@example.com",
        type: "transactions",
        fields: ["transaction__id", "transaction__amount", "transaction__status"],
        filters: {
          transactionRequestPaymentMethod: ["pix"],
          transactionStatus: ["authorized"],
          transactionCreatedAt: { gte: "2026-10-01", lte: "2026-10-31" },
          transactionMerchantId: "{{merchantId}}",
        },
      },
    },
    attempts: {
      summary: "Every call to a provider, for Brazilian Excel",
      body: {
        sendTo: "fin@example.com",
        type: "transactionsHistory",
        fields: "all",
        filters: {},
        delimiter: "semicolon",
        amounts: "decimal",
      },
    },
  },
  handle: async (ctx, { body, headers }) => serializeReport(await requestReport(ctx, body, voiceOf(headers))),
});

export const GET = endpoint({
  method: "GET",
  path: "/v1/reports",
  tag: "Reports",
  summary: "List reports",
  access: ["reports"],
  query: reportFilters,
  reply: reportList,
  status: 200,
  examples: { sent: { summary: "Those that are ready", query: { status: "uploaded,sent,opened" } } },
  async handle(ctx, { query }) {
    const { items, totalItems } = await listReports(ctx, query);
    return envelope(query, { items: items.map(serializeReport), totalItems });
  },
});

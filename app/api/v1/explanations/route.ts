import { endpoint } from "@/app/api/endpoint";
import { explanationBody, explanationQuery } from "@/lib/explanations/schema";
import { explain } from "@/lib/explanations/service";

export const GET = endpoint({
  method: "GET",
  path: "/v1/explanations",
  tag: "Explanations",
  summary: "Explain a figure",
  description:
    "The rows that a figure is the sum of, with what was booked, the prices that decided and the call that caused it. Value and rows are read at one moment; the value equals the sum of all rows, always. A further page whose `value` is another one belongs to a figure that moved meanwhile: begin again.",
  access: "secret",
  query: explanationQuery,
  reply: explanationBody,
  status: 200,
  errors: ["seller_not_found"],
  examples: {
    available: { summary: "What the account has", query: { figure: "balance.available" } },
    charge: { summary: "What a payment leaves", query: { figure: "charge.net", chargeId: "{{chargeId}}" } },
    receivable: {
      summary: "What an installment costs",
      query: { figure: "receivable.fee", receivableId: "{{receivableId}}" },
    },
    batch: { summary: "What a payout comes to", query: { figure: "batch.finalBalance", batchId: "{{batchId}}" } },
    prepayment: {
      summary: "What is paid early",
      query: { figure: "prepayment.net", prepaymentId: "{{prepaymentId}}" },
    },
  },
  handle: (ctx, { query }) => explain(ctx, query),
});

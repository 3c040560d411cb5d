import { endpoint } from "@/app/api/endpoint";
import { now } from "@/lib/context";
import { envelope } from "@/lib/http/pagination";
import { simulatePlanned } from "@/lib/prepayments/plan";
import { listPrepayments } from "@/lib/prepayments/queries";
import { newPrepayment, prepaymentBody, prepaymentFilters, prepaymentList } from "@/lib/prepayments/schema";
import { serializePrepayment } from "@/lib/prepayments/serializer";

export const POST = endpoint({
  method: "POST",
  path: "/v1/subacquirer/prepayment",
  tag: "Prepayment",
  summary: "Simulate a prepayment",
  description:
    "Prices receivables by the days each of them is paid early. Up to 15:00 (São Paulo) of a bank day it can be confirmed until 15:00 of that day, and the money comes on the next bank day; later it is for the next bank day.",
  access: "secret",
  errorKeys: "I",
  planned: true,
  body: newPrepayment,
  reply: prepaymentBody,
  status: 201,
  errors: ["prepayment_not_enabled", "seller_not_found", "no_receivables", "nothing_available", "plan_changed"],
  examples: {
    own: { summary: "Everything of the account itself that settles up to a day", body: { endDate: "2099-12-31" } },
    seller: { summary: "One seller's", body: { endDate: "2099-12-31", sellerId: "{{sellerId}}" } },
  },
  handle: async (ctx, { body }) => serializePrepayment(await simulatePlanned(ctx, body), now(ctx)),
});

export const GET = endpoint({
  method: "GET",
  path: "/v1/subacquirer/prepayment",
  tag: "Prepayment",
  summary: "List prepayments",
  access: "secret",
  errorKeys: "I",
  query: prepaymentFilters,
  reply: prepaymentList,
  status: 200,
  examples: {
    newest: { summary: "The ten newest" },
    confirmed: { summary: "Those that were confirmed", query: { status: "committed,paid" } },
  },
  async handle(ctx, { query }) {
    const { items, totalItems } = await listPrepayments(ctx, query);
    const at = now(ctx);
    return envelope(query, { items: items.map((one) => serializePrepayment(one, at)), totalItems });
  },
});

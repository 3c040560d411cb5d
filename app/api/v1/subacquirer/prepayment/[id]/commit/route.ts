import { endpoint } from "@/app/api/endpoint";
import { now } from "@/lib/context";
import { commitPlanned } from "@/lib/prepayments/plan";
import { prepaymentBody, prepaymentParams } from "@/lib/prepayments/schema";
import { serializePrepayment } from "@/lib/prepayments/serializer";

export const POST = endpoint({
  method: "POST",
  path: "/v1/subacquirer/prepayment/{id}/commit",
  tag: "Prepayment",
  summary: "Confirm a prepayment",
  description: "Its receivables are reserved at the price they were shown at; the money comes on `paymentDate`.",
  access: "secret",
  planned: true,
  errorKeys: "I",
  params: prepaymentParams,
  reply: prepaymentBody,
  status: 200,
  errors: [
    "prepayment_not_enabled",
    "prepayment_not_pending",
    "prepayment_window_closed",
    "receivables_changed",
    "plan_changed",
  ],
  examples: { one: { summary: "One simulation" } },
  handle: async (ctx, { params }) => serializePrepayment(await commitPlanned(ctx, params.id), now(ctx)),
});

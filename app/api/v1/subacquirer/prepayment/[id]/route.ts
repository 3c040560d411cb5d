import { endpoint } from "@/app/api/endpoint";
import { now } from "@/lib/context";
import { prepaymentBody, prepaymentParams } from "@/lib/prepayments/schema";
import { serializePrepayment } from "@/lib/prepayments/serializer";
import { prepaymentAt } from "@/lib/prepayments/service";

export const GET = endpoint({
  method: "GET",
  path: "/v1/subacquirer/prepayment/{id}",
  tag: "Prepayment",
  summary: "Read a prepayment",
  access: "secret",
  errorKeys: "I",
  params: prepaymentParams,
  reply: prepaymentBody,
  status: 200,
  examples: { one: { summary: "One prepayment" } },
  handle: async (ctx, { params }) => serializePrepayment(await prepaymentAt(ctx, params.id), now(ctx)),
});

import { endpoint } from "@/app/api/endpoint";
import { chargeBody } from "@/lib/charges/schema";
import { serializeCharge } from "@/lib/charges/serializer";
import { forcedReturn, txidParams } from "@/lib/providers/sandbox/api/schema";
import { returnPix } from "@/lib/providers/sandbox/api/tools";

export const POST = endpoint({
  method: "POST",
  path: "/v1/sandbox/pix/{txid}/med",
  tag: "Sandbox",
  summary: "Take a Pix back, as the payer's bank",
  description:
    "The Central Bank's special return: a refund nobody here asked for. Without an amount, all that is left.",
  access: "secret",
  sandboxOnly: true,
  inBand: true,
  params: txidParams,
  body: forcedReturn,
  reply: chargeBody,
  status: 200,
  errors: ["invalid_status_transition", "amount_exceeds_remaining", "charge_operation_in_progress"],
  examples: { part: { summary: "A part", body: { amount: 500 } } },
  handle: (_, { params, body }, answer) =>
    answer.held(async (inside) => serializeCharge(await returnPix(inside, params.txid, body))),
});

import { z } from "zod";
import { endpoint } from "@/app/api/endpoint";
import { chargeBody } from "@/lib/charges/schema";
import { serializeCharge } from "@/lib/charges/serializer";
import { uuid } from "@/lib/http/fields";
import { boletoPayment } from "@/lib/providers/sandbox/api/schema";
import { payBoleto } from "@/lib/providers/sandbox/api/tools";

export const POST = endpoint({
  method: "POST",
  path: "/v1/sandbox/boletos/{chargeId}/pay",
  tag: "Sandbox",
  summary: "Pay a boleto as its buyer",
  description:
    "Paid and confirmed at once; with `paidOn`, confirmed when the test clock passes the next bank day. Without an " +
    "amount the buyer's CEP decides: 01046010 pays 10 % too little, 57400000 10 % too much.",
  access: "secret",
  sandboxOnly: true,
  inBand: true,
  params: z.object({ chargeId: uuid }),
  body: boletoPayment,
  reply: chargeBody,
  status: 200,
  errors: ["invalid_status_transition", "charge_operation_in_progress"],
  examples: { now: { summary: "In full, now", body: {} }, less: { summary: "Another value", body: { amount: 900 } } },
  handle: (_, { params, body }, answer) =>
    answer.held(async (inside) => serializeCharge(await payBoleto(inside, params.chargeId, body))),
});

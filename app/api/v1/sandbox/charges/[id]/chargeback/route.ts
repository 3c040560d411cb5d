import { z } from "zod";
import { endpoint } from "@/app/api/endpoint";
import { chargeBody } from "@/lib/charges/schema";
import { serializeCharge } from "@/lib/charges/serializer";
import { uuid } from "@/lib/http/fields";
import { dispute } from "@/lib/providers/sandbox/api/schema";
import { disputeCharge } from "@/lib/providers/sandbox/api/tools";

export const POST = endpoint({
  method: "POST",
  path: "/v1/sandbox/charges/{id}/chargeback",
  tag: "Sandbox",
  summary: "Dispute a captured charge, as the cardholder's bank",
  access: "secret",
  sandboxOnly: true,
  inBand: true,
  params: z.object({ id: uuid }),
  body: dispute,
  reply: chargeBody,
  status: 200,
  errors: ["invalid_status_transition", "amount_exceeds_remaining", "charge_operation_in_progress"],
  examples: {
    all: { summary: "All of it", body: { reason: "fraud" } },
    part: { summary: "A part", body: { amount: 500 } },
  },
  handle: (_, { params, body }, answer) =>
    answer.held(async (inside) => serializeCharge(await disputeCharge(inside, params.id, body))),
});

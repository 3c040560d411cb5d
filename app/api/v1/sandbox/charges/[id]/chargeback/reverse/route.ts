import { z } from "zod";
import { endpoint } from "@/app/api/endpoint";
import { chargeBody } from "@/lib/charges/schema";
import { serializeCharge } from "@/lib/charges/serializer";
import { uuid } from "@/lib/http/fields";
import { winDispute } from "@/lib/providers/sandbox/api/tools";

export const POST = endpoint({
  method: "POST",
  path: "/v1/sandbox/charges/{id}/chargeback/reverse",
  tag: "Sandbox",
  summary: "Win the dispute of a charge",
  access: "secret",
  sandboxOnly: true,
  inBand: true,
  params: z.object({ id: uuid }),
  reply: chargeBody,
  status: 200,
  errors: ["invalid_status_transition", "charge_operation_in_progress"],
  handle: (_, { params }, answer) =>
    answer.held(async (inside) => serializeCharge(await winDispute(inside, params.id))),
});

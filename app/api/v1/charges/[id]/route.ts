import { z } from "zod";
import { endpoint } from "@/app/api/endpoint";
import { getCharge } from "@/lib/charges/queries";
import { chargeBody } from "@/lib/charges/schema";
import { serializeCharge } from "@/lib/charges/serializer";
import { uuid } from "@/lib/http/fields";
import { forceStatus } from "@/lib/providers/sandbox/api/force";
import { forcedStatus } from "@/lib/providers/sandbox/api/schema";

export const GET = endpoint({
  method: "GET",
  path: "/v1/charges/{id}",
  tag: "Charges",
  summary: "Read a charge",
  access: ["charges"],
  session: true,
  params: z.object({ id: uuid }),
  reply: chargeBody,
  status: 200,
  handle: async (ctx, { params }) => serializeCharge(await getCharge(ctx, params.id)),
});

export const POST = endpoint({
  method: "POST",
  path: "/v1/charges/{id}",
  tag: "Sandbox",
  summary: "Force the status of a charge",
  description:
    "Along the moves a charge can make; the simulated provider reports the change, so queries, ledger and events " +
    "run as in production. `created`, `processed` and the present status change nothing.",
  access: "secret",
  sandboxOnly: true,
  inBand: true,
  params: z.object({ id: uuid }),
  body: forcedStatus,
  reply: chargeBody,
  status: 200,
  errors: ["invalid_status_transition", "charge_operation_in_progress", "purchase_operation_in_progress"],
  examples: { paid: { summary: "Paid", body: { status: "authorized" } } },
  handle: (_, { params, body }, answer) =>
    answer.held(async (inside) => serializeCharge(await forceStatus(inside, params.id, body.status))),
});

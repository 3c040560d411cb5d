import { z } from "zod";
import { endpoint } from "@/app/api/endpoint";
import { chargeBody } from "@/lib/charges/schema";
import { serializeCharge } from "@/lib/charges/serializer";
import { uuid } from "@/lib/http/fields";
import { resolvePending } from "@/lib/providers/sandbox/api/antifraud";
import { forcedVerdict } from "@/lib/providers/sandbox/api/schema";

export const PATCH = endpoint({
  method: "PATCH",
  path: "/v1/charges/{id}/antifraud",
  tag: "Sandbox",
  summary: "End a pending anti-fraud analysis",
  access: "secret",
  sandboxOnly: true,
  inBand: true,
  params: z.object({ id: uuid }),
  body: forcedVerdict,
  reply: chargeBody,
  status: 200,
  errors: ["invalid_status_transition", "charge_operation_in_progress"],
  examples: {
    approved: { summary: "The payment goes on", body: { status: "approved" } },
    reproved: { summary: "The hold is released", body: { status: "reproved" } },
  },
  handle: (_, { params, body }, answer) =>
    answer.held(async (inside) => serializeCharge(await resolvePending(inside, params.id, body.status))),
});

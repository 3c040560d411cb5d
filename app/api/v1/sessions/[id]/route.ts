import { endpoint } from "@/app/api/endpoint";
import { readSession } from "@/lib/sessions/read";
import { changedSessionBody, sessionBody, sessionChange, sessionParams } from "@/lib/sessions/schema";
import { updateSession } from "@/lib/sessions/service";

export const GET = endpoint({
  method: "GET",
  path: "/v1/sessions/{id}",
  tag: "Sessions",
  summary: "Read a session",
  description: "With `multiplePayments` as it is at this moment.",
  access: ["sessions"],
  session: true,
  params: sessionParams,
  reply: sessionBody,
  status: 200,
  examples: { one: { summary: "One session" } },
  handle: (ctx, { params }) => readSession(ctx, params.id),
});

export const PATCH = endpoint({
  method: "PATCH",
  path: "/v1/sessions/{id}",
  tag: "Sessions",
  summary: "Enable, disable or extend a session",
  description:
    "`dueDate` moves the due date, null removes it; `maxPayments` sets the capacity of a session that has one. Other members are ignored.",
  access: "secret",
  params: sessionParams,
  body: sessionChange,
  reply: changedSessionBody,
  status: 200,
  errors: [
    "pix_boleto_multiple_payments_not_allowed",
    "pix_boleto_one_to_one_reactivation_blocked",
    "session_not_reactivatable",
    "max_payments_not_allowed",
    "max_payments_below_consumed",
  ],
  examples: {
    pause: { summary: "Pause", body: { isActive: false } },
    extend: { summary: "Extend, and open again", body: { isActive: true, dueDate: "2030-12-31" } },
  },
  handle: (ctx, { params, body }) => updateSession(ctx, params.id, body),
});

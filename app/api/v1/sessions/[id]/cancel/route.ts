import { endpoint } from "@/app/api/endpoint";
import { cancelSession, closeCanceled } from "@/lib/session-payments/cancel";
import { canceledSessionBody, sessionParams } from "@/lib/sessions/schema";

export const POST = endpoint({
  method: "POST",
  path: "/v1/sessions/{id}/cancel",
  tag: "Sessions",
  summary: "Cancel a session",
  description: "For good. Its unpaid Pix and boletos are closed, what is held for it is released.",
  access: "secret",
  inBand: true,
  params: sessionParams,
  reply: canceledSessionBody,
  status: 201,
  errors: ["session_not_cancelable", "idempotency_key_payload_mismatch"],
  examples: { one: { summary: "Cancel it" } },
  async handle(ctx, { params }, answer) {
    const reply = await answer.once(async (inside) => {
      const { id } = await cancelSession(inside, params.id);
      return { id, status: "canceled" };
    });
    await closeCanceled(ctx, params.id);
    return reply;
  },
});

import { endpoint } from "@/app/api/endpoint";
import { chargeBody } from "@/lib/charges/schema";
import { serializeCharge } from "@/lib/charges/serializer";
import { pixPayment, txidParams } from "@/lib/providers/sandbox/api/schema";
import { payPix } from "@/lib/providers/sandbox/api/tools";

export const POST = endpoint({
  method: "POST",
  path: "/v1/sandbox/pix/{txid}/pay",
  tag: "Sandbox",
  summary: "Pay a Pix, or a wallet payment, as its buyer",
  description:
    "By the txid or the id of the charge. `at` in the future schedules the payment on the test clock, `times` 2 pays " +
    "twice, `after` expiry pays once the code has expired.",
  access: "secret",
  sandboxOnly: true,
  inBand: true,
  params: txidParams,
  body: pixPayment,
  reply: chargeBody,
  status: 200,
  errors: ["invalid_status_transition", "charge_operation_in_progress", "idempotency_key_payload_mismatch"],
  examples: {
    now: { summary: "In full, now", body: {} },
    twice: { summary: "Twice: the second payment goes back", body: { times: 2 } },
    late: { summary: "Too late: it goes back", body: { after: "expiry" } },
  },
  handle: (_, { params, body }, answer) =>
    answer.held(async (inside) => serializeCharge(await payPix(inside, params.txid, body))),
});

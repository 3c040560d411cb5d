import { endpoint } from "@/app/api/endpoint";
import { dryRunBody, newDryRun } from "@/lib/dry-runs/schema";
import { dryRun } from "@/lib/dry-runs/service";

export const POST = endpoint({
  method: "POST",
  path: "/v1/dry-runs",
  tag: "Dry runs",
  summary: "See what a call would do",
  description:
    "The call is accepted and decided by the code that really does it, in a transaction that is rolled back: nothing is written, sent or told. What the call would be refused with is in `plan.errors`. Keep `planHash` to see later whether anything has changed.",
  access: "secret",
  idempotency: "none",
  inBand: true,
  cardAt: ["body", "paymentSource", "card"],
  body: newDryRun,
  reply: dryRunBody,
  status: 200,
  examples: {
    charge: {
      summary: "A card payment in three instalments",
      body: {
        operation: "charge",
        body: {
          merchantId: "{{merchantId}}",
          amount: 10500,
          capture: true,
          paymentMethod: { paymentType: "credit", installments: 3 },
          paymentSource: { sourceType: "token", tokenId: "{{tokenId}}" },
        },
      },
    },
    link: {
      summary: "A payment link is paid by card",
      body: {
        operation: "split",
        id: "{{sessionId}}",
        body: {
          paymentMethod: { paymentType: "credit", installments: 3 },
          paymentSource: { sourceType: "token", tokenId: "{{tokenId}}" },
        },
      },
    },
    refund: {
      summary: "A part of a payment goes back",
      body: { operation: "void", id: "{{chargeId}}", body: { amount: 2500 } },
    },
  },
  handle: async (ctx, { body }, answer) => {
    const found = await dryRun(ctx, body);
    return answer.once(async () => found);
  },
});

import { endpoint } from "@/app/api/endpoint";
import { addFeeRules, getPlatformFee, replaceFeeRules } from "@/lib/merchants/fee-rules";
import { feeParams, feeRulesBody, newFeeRules, platformFeeBody, replacedFeeRules } from "@/lib/platform-fees/schema";
import { serializeFeeRule } from "@/lib/platform-fees/serializer";

const PATH = "/v1/merchants/{merchantId}/platform-fee";
const TAG = "Platform fee";

export const POST = endpoint({
  method: "POST",
  path: PATH,
  tag: TAG,
  summary: "Create platform fee rules",
  description: "One rule for each payment method and band of instalments: 1, 2 to 6, 7 to 12, 13 to 24.",
  access: "secret",
  params: feeParams,
  body: newFeeRules,
  reply: feeRulesBody,
  status: 201,
  errors: ["platform_fee_rule_exists"],
  examples: {
    credit: {
      summary: "3.99 % plus R$ 0.30 at once, a fallback for everything else",
      body: [
        { paymentMethod: "credit", installment: 1, percentage: 3.99, fixedAmount: 30 },
        { paymentMethod: "default", percentage: 1 },
      ],
    },
  },
  handle: async (ctx, { params, body }) => (await addFeeRules(ctx, params.merchantId, body)).map(serializeFeeRule),
});

export const GET = endpoint({
  method: "GET",
  path: PATH,
  tag: TAG,
  summary: "Read the platform fee rules",
  access: "secret",
  params: feeParams,
  reply: platformFeeBody,
  status: 200,
  handle: async (ctx, { params }) => {
    const { platformFeeEnabled, rules } = await getPlatformFee(ctx, params.merchantId);
    return { platformFeeEnabled, rules: rules.map(serializeFeeRule) };
  },
});

export const PUT = endpoint({
  method: "PUT",
  path: PATH,
  tag: TAG,
  summary: "Replace the platform fee rules",
  access: "secret",
  params: feeParams,
  body: replacedFeeRules,
  reply: feeRulesBody,
  status: 200,
  errors: ["platform_fee_rule_exists"],
  examples: {
    pix: { summary: "Pix alone", body: [{ paymentMethod: "pix", fixedAmount: 50 }] },
    none: { summary: "No rules", body: [] },
  },
  handle: async (ctx, { params, body }) => (await replaceFeeRules(ctx, params.merchantId, body)).map(serializeFeeRule),
});

import { endpoint } from "@/app/api/endpoint";
import { deleteFeeRule } from "@/lib/merchants/fee-rules";
import { feeRuleParams } from "@/lib/platform-fees/schema";

export const DELETE = endpoint({
  method: "DELETE",
  path: "/v1/merchants/{merchantId}/platform-fee/{platformFeeId}",
  tag: "Platform fee",
  summary: "Delete a platform fee rule",
  access: "secret",
  params: feeRuleParams,
  reply: "empty",
  status: 204,
  handle: (ctx, { params }) => deleteFeeRule(ctx, params.merchantId, params.platformFeeId),
});

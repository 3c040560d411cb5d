import { endpoint } from "@/app/api/endpoint";
import { setPlatformFeeEnabled } from "@/lib/merchants/fee-rules";
import { feeParams, feeSwitch, feeSwitchBody } from "@/lib/platform-fees/schema";

export const PATCH = endpoint({
  method: "PATCH",
  path: "/v1/merchants/{merchantId}/platform-fee/enabled",
  tag: "Platform fee",
  summary: "Switch the platform fee on or off",
  description: "The fee is computed only for charges with split rules while it is on.",
  access: "secret",
  params: feeParams,
  body: feeSwitch,
  reply: feeSwitchBody,
  status: 200,
  examples: { on: { summary: "On", body: { enabled: true } } },
  handle: (ctx, { params, body }) => setPlatformFeeEnabled(ctx, params.merchantId, body.enabled),
});

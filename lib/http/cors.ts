/** Routes that a browser's key may call answer any origin, never with credentials (spec/contract.md 1.9). */
export const corsHeaders = (): [string, string][] => [
  ["access-control-allow-origin", "*"],
  ["access-control-expose-headers", "X-Request-Id, Retry-After, Idempotent-Replayed"],
];

export const preflightHeaders = (methods: readonly string[]): [string, string][] => [
  ...corsHeaders(),
  ["access-control-allow-methods", methods.join(", ")],
  [
    "access-control-allow-headers",
    "content-type, accept-language, x-client-id, x-api-key, x-idempotency-key, x-captcha-token",
  ],
  ["access-control-max-age", "7200"],
];

/** Scopes a public key may hold (spec/contract.md 1.7). `*` stands for all of them except auth. */
export const SCOPES = [
  "customers",
  "cards",
  "tokens",
  "charges",
  "sessions",
  "webhooks",
  "auth",
  "reports",
  "flows",
  "sellers",
  "providers",
  "subscriptions",
] as const;
export type Scope = (typeof SCOPES)[number];

/**
 * What a route asks of its caller; `secret` is the default of everything that is not declared wider, and what is asked
 * of `session` belongs to the session of the calling key.
 */
export type Access = "secret" | "session" | "none" | readonly [Scope, ...Scope[]];

export const mayCall = (held: readonly string[], access: readonly Scope[]): boolean =>
  access.some((scope) => held.includes(scope) || (scope !== "auth" && held.includes("*")));

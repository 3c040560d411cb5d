import type { KeyRights } from "@/lib/context";

/** Scopes a public key may hold (spec/contract.md 1.7). */
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

/** What `*` stands for. The others are named one by one: they show or change more than a buyer's browser needs. */
export const BUYER_SCOPES = ["customers", "cards", "tokens", "charges", "sessions", "subscriptions"] as const;
const ofStar: ReadonlySet<Scope> = new Set(BUYER_SCOPES);

/**
 * What a route asks of its caller; `secret` is the default of everything that is not declared wider, and what is asked
 * of `session` belongs to the session of the calling key.
 */
export type Access = "secret" | "session" | "none" | readonly [Scope, ...Scope[]];

export const scopesAllow = (held: readonly string[], access: readonly Scope[]): boolean =>
  access.some((scope) => held.includes(scope) || (ofStar.has(scope) && held.includes("*")));

/** First segments of the paths after /v1, as a restricted secret key names them. */
export const SEGMENTS = [
  "charges",
  "purchases",
  "sessions",
  "customers",
  "cards",
  "tokens",
  "merchants",
  "providers",
  "sellers",
  "subacquirer",
  "payouts",
  "vendors",
  "flows",
  "subscriptions",
  "settings",
  "reports",
  "dry-runs",
  "explanations",
  "webhooks",
  "events",
  "logs",
  "invariants",
  "auth",
  "sandbox",
] as const;
export type PathSegment = (typeof SEGMENTS)[number];
/** Those where nothing can be written. */
export const SEGMENTS_TO_READ: ReadonlySet<PathSegment> = new Set([
  "events",
  "logs",
  "invariants",
  "payouts",
  "explanations",
]);

/** Null is every right: most secret keys are not restricted. A GET reads; every other method writes. */
export const mayReach = (rights: KeyRights | null, { method, path }: { method: string; path: string }): boolean =>
  rights === null || hasRight(rights, path.split("/")[2] ?? "", method === "GET" ? "read" : "write");

const hasRight = (rights: KeyRights, segment: string, needed: "read" | "write"): boolean =>
  Object.hasOwn(rights, segment) && (rights[segment] === "write" || rights[segment] === needed);

/** Where the routes of a scope are not those of its own segment alone. */
const REACH: Partial<Record<Scope, KeyRights>> = {
  cards: { cards: "write", customers: "write" },
  webhooks: { webhooks: "write", events: "read" },
};

/** A restricted key hands on no scope that reaches further than itself. */
export const mayHandOn = (rights: KeyRights | null, scope: Scope): boolean =>
  rights === null ||
  Object.entries(REACH[scope] ?? { [scope]: "write" as const }).every(([segment, needed]) =>
    hasRight(rights, segment, needed),
  );

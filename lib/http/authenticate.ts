import { createHash } from "node:crypto";
import { systemSql } from "@/db/client";
import { isAllowedFrom } from "@/lib/addresses";
import type { Account, Principal } from "@/lib/context";
import { RequestError } from "@/lib/errors";
import { type Access, mayReach, scopesAllow } from "@/lib/http/scopes";
import { isUuid } from "@/lib/ids";

export interface Authenticated {
  account: Account;
  principal: Principal;
  /** Where the key is taken from; none is anywhere. */
  allowedAddresses: readonly string[];
}

interface Row {
  id: string;
  mode: "sandbox" | "live";
  clock_offset_seconds: string;
  clock_frozen_at: Date | null;
  auto_settle_seconds: number | null;
  key_id: string | null;
  rights: Record<string, "read" | "write"> | null;
  allowed_addresses: string[] | null;
  public_key: string | null;
  root: string | null;
  scope: string[] | null;
  session_id: string | null;
  session_status: string | null;
  session_customer: string | null;
  session_maker: string | null;
  use_is_noted: boolean | null;
}

/** A busy key's row is written once a minute, not once a call. */
const NOTE_USE_EVERY_SECONDS = 60;
const NOBODY = "00000000-0000-0000-0000-000000000000";

export const digestOf = (key: string): Buffer => createHash("sha256").update(key).digest();

/**
 * One statement whatever is wrong: an unknown client, a wrong key and another client's key cost the same work and give
 * the same answer. Keys are compared by the database through an index over their SHA-256, never as text.
 */
export async function authenticate(headers: Headers): Promise<Authenticated | undefined> {
  const clientId = headers.get("x-client-id") ?? "";
  const key = headers.get("x-api-key") ?? "";
  const [row] = await systemSql()<Row[]>`
    select c.id, c.mode, c.clock_offset_seconds, c.clock_frozen_at, c.auto_settle_seconds,
           k.id as key_id, k.allowed_addresses, k.rights, p.public_key, p.root, p.scope, p.session_id,
           s.status as session_status, s.customer_id as session_customer, s.created_by_key as session_maker,
           coalesce(k.last_used_at, p.last_used_at) > now() - make_interval(secs => ${NOTE_USE_EVERY_SECONDS}) as use_is_noted
      from clients c
      left join api_keys k on k.client_id = c.id and k.digest = ${digestOf(key)}
       and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())
      left join public_keys p on p.client_id = c.id and p.public_key = ${isUuid(key) ? key : NOBODY}
       and p.revoked_at is null and (p.expires_at is null or p.expires_at > now())
      left join sessions s on s.id = p.session_id
     where c.id = ${isUuid(clientId) ? clientId : NOBODY} and c.status = 'active'`;
  const principal = row && principalOf(row);
  if (!row || !principal) return undefined;
  if (!row.use_is_noted) await noteUse(row, headers.get("x-trilho-address"));
  return {
    principal,
    allowedAddresses: row.allowed_addresses ?? [],
    account: {
      id: row.id,
      mode: row.mode,
      clock: { offsetSeconds: Number(row.clock_offset_seconds), frozenAt: row.clock_frozen_at },
      autoSettleSeconds: row.auto_settle_seconds,
    },
  };
}

/** A secret key also by where. Of many calls at once one writes; the others find it done. */
async function noteUse(row: Row, address: string | null): Promise<void> {
  const sql = systemSql();
  const isOld = sql`(last_used_at is null or last_used_at <= now() - make_interval(secs => ${NOTE_USE_EVERY_SECONDS}))`;
  if (row.public_key)
    await sql`update public_keys set last_used_at = now() where public_key = ${row.public_key} and ${isOld}`;
  else if (isAllowedFrom(row.allowed_addresses ?? [], address))
    await sql`update api_keys set last_used_at = now(), last_used_from = ${address} where id = ${row.key_id} and ${isOld}`;
}

function principalOf(row: Row): Principal | undefined {
  if (row.key_id) return { kind: "secret", keyId: row.key_id, rights: row.rights };
  if (!row.public_key) return undefined;
  if (row.session_id) {
    const isOver = row.session_status === "canceled" || row.session_status === "voided";
    const { session_id: sessionId, session_customer: customerId, session_maker: madeBy } = row;
    return { kind: "session", publicKey: row.public_key, sessionId, customerId, madeBy, isOver };
  }
  return { kind: "public", publicKey: row.public_key, rootKey: row.root ?? row.public_key, scopes: row.scope ?? [] };
}

export const unauthorized = (): RequestError => new RequestError(401, "invalid_request_error", "unauthorized");
export const forbidden = (...details: string[]): RequestError =>
  new RequestError(403, "invalid_request_error", "forbidden", { details });

/** Said in words: whoever holds the key wonders why it works from one machine and not from another. */
export function requireAllowedIp({ allowedAddresses }: Pick<Authenticated, "allowedAddresses">, ip: string): void {
  if (!isAllowedFrom(allowedAddresses, ip)) throw forbidden(`this key is not taken from ${ip}`);
}

/**
 * Default deny: a public key reaches the routes of its scopes, a session key those that name it, a restricted secret
 * key what its rights name (spec/contract.md 1.6 to 1.8).
 */
export function requireAccess(
  principal: Principal,
  {
    access,
    session,
    ...route
  }: { access: Exclude<Access, "none">; session?: boolean | undefined; method: string; path: string },
): void {
  const isNamed = typeof access !== "string";
  if (principal.kind === "secret" && access !== "session" && mayReach(principal.rights, route)) return;
  if (principal.kind === "session" && session && (route.method === "GET" || !principal.isOver)) return;
  if (principal.kind === "public" && isNamed && scopesAllow(principal.scopes, access)) return;
  throw forbidden();
}

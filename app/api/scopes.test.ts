import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { ENDPOINTS } from "@/app/api/endpoints";
import { dispatch } from "@/app/api/registry";
import { systemSql } from "@/db/client";
import { rotateAccountKeys } from "@/lib/accounts/service";
import { newId } from "@/lib/ids";
import { KEY_SCOPES } from "@/lib/public-keys/schema";
import { openClient, type TestClient } from "@/lib/testing/api";
import { requestOf } from "@/lib/testing/api-client";
import { CONTRACT_ROUTES, type ContractRoute } from "@/lib/testing/contract-routes";

/** What a key may do is read from the contract's index, never from the declarations under test. */
const routes = CONTRACT_ROUTES.filter(
  ({ method, path, isOpen }) => !isOpen && ENDPOINTS.some(({ spec }) => spec.method === method && spec.path === path),
);

/** What `*` stands for (spec/contract.md 1.7). */
const BUYERS = ["customers", "cards", "tokens", "charges", "sessions", "subscriptions"];

type Verdict = "allowed" | 401 | 403;
interface Caller {
  name: string;
  clientId: string | null;
  key: string | null;
  expected(route: ContractRoute): Verdict;
}

const refused401 = (): Verdict => 401;
const secret: Caller["expected"] = ({ isForSessionsOnly }) => (isForSessionsOnly ? 403 : "allowed");
const callers: Caller[] = [];
let mine: TestClient;

beforeAll(async () => {
  const [other, rotated, disabled] = [await openClient(), await openClient(), await openClient()];
  mine = await openClient();
  const { clientId } = mine;
  const add = (name: string, key: string | null, expected: Caller["expected"], of: string | null = clientId) =>
    callers.push({ name, clientId: of, key, expected });

  add("the secret key", mine.apiKey, secret);
  for (const scope of KEY_SCOPES) {
    add(`a public key with ${scope}`, await mine.publicKey(scope), ({ scopes }) =>
      scopes.includes(scope) || (scope === "*" && scopes.some((one) => BUYERS.includes(one))) ? "allowed" : 403,
    );
  }
  const two = ["customers", "tokens"];
  add("a public key with two scopes", await mine.publicKey(two), ({ scopes }) =>
    scopes.some((scope) => two.includes(scope)) ? "allowed" : 403,
  );
  add("a session's key", await sessionKey(clientId), ({ isForSessions }) => (isForSessions ? "allowed" : 403));

  const expired = await mine.publicKey("*", 3600);
  await systemSql()`update public_keys set expires_at = now() - interval '1 second' where public_key = ${expired}`;
  add("an expired public key", expired, refused401);
  const revoked = await mine.publicKey("*");
  await mine.make("DELETE", `/v1/auth/${revoked}`);
  add("a revoked public key", revoked, refused401);
  const { apiKey: next } = await rotateAccountKeys(rotated.clientId);
  add("the rotated secret key while the old one lives on", rotated.apiKey, secret, rotated.clientId);
  add("the new secret key", next, secret, rotated.clientId);
  const [gone, stopped] = [await openClient(), await openClient()];
  await systemSql()`update api_keys set expires_at = now() - interval '1 second' where client_id = ${gone.clientId}`;
  await systemSql()`update api_keys set revoked_at = now() where client_id = ${stopped.clientId}`;
  add("an expired secret key", gone.apiKey, refused401, gone.clientId);
  add("a revoked secret key", stopped.apiKey, refused401, stopped.clientId);
  await systemSql()`update clients set status = 'disabled' where id = ${disabled.clientId}`;
  add("the key of a disabled account", disabled.apiKey, refused401, disabled.clientId);

  add("another account's secret key", other.apiKey, refused401);
  add("another account's public key", await other.publicKey("*"), refused401);
  add("another account's session key", await sessionKey(other.clientId), refused401);
  add("no key", null, refused401);
  add("no account", mine.apiKey, refused401, null);
  add("an unknown account", mine.apiKey, refused401, newId());
  for (const text of ["", "x", randomUUID(), mine.apiKey.slice(0, -1), `${mine.apiKey} `.padEnd(5_000, "x")]) {
    add(`a malformed key of ${text.length} characters`, text, refused401);
  }
});

async function sessionKey(clientId: string): Promise<string> {
  const publicKey = randomUUID();
  await systemSql()`
    insert into public_keys (public_key, client_id, scope, session_id, expires, created_at)
    values (${publicKey}, ${clientId}, ${["*"]}, ${newId()}, 0, now())`;
  return publicKey;
}

/** Ids that nobody has and no body: what is asked is whether the route is reached at all. */
async function verdictOf({ method, path }: ContractRoute, { clientId, key }: Caller): Promise<Verdict> {
  const address = path.replace(/\{\w+\}/g, () => newId());
  const options = { clientId, key, ...(method === "POST" ? { idempotencyKey: newId() } : {}) };
  const { status } = await dispatch(requestOf(mine, method, address, options));
  return status === 401 || status === 403 ? status : "allowed";
}

describe("every key on every route", () => {
  it("covers every endpoint that takes a key", () => {
    const closed = ENDPOINTS.filter(({ spec }) => spec.access !== "none");
    expect(routes.length).toBe(closed.length);
    expect(callers.length).toBeGreaterThan(25);
  });

  it.each(routes.map((route) => [`${route.method} ${route.path}`, route] as const))(
    "%s is open to those the contract names, and to nobody else",
    async (_, route) => {
      const verdicts: Record<string, Verdict> = {};
      const expected: Record<string, Verdict> = {};
      for (const caller of callers) {
        verdicts[caller.name] = await verdictOf(route, caller);
        expected[caller.name] = caller.expected(route);
      }
      expect(verdicts).toEqual(expected);
    },
  );
});

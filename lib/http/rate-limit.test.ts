import { beforeEach, describe, expect, it } from "vitest";
import { systemSql } from "@/db/client";
import { loadAccount } from "@/lib/accounts/service";
import type { Principal } from "@/lib/context";
import { ADDRESS_HEADER } from "@/lib/http/endpoint";
import { inTurn, limitKey, RATES } from "@/lib/http/rate-limit";
import { newId } from "@/lib/ids";
import { openClient } from "@/lib/testing/api";
import { pause } from "@/lib/wait";

// Read once, at the first request of this file.
process.env.RATE_LIMITS = "on";

/** Lets time pass for every bucket. */
const later = (seconds: number) =>
  systemSql()`update rate_buckets set updated_at = updated_at - make_interval(secs => ${seconds})`;

beforeEach(async () => {
  await systemSql()`delete from rate_buckets`;
});

const times = <T>(n: number, run: () => Promise<T>) => Promise.all(Array.from({ length: n }, run));

describe("a client", () => {
  it("429: the 26th call of a sandbox account within a second, and it says how long to wait", async () => {
    const client = await openClient();
    const replies = await times(60, () => client.call("GET", "/v1/merchants"));
    const refused = replies.filter(({ status }) => status === 429);
    expect(replies.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(25);
    expect(refused.length).toBeGreaterThan(10);
    expect(refused[0]?.text).toBe(
      '{"error":{"type":"api_error","code":429,"message":"too many requests","details":[]}}',
    );
    for (const { headers } of refused) {
      expect(headers.get("retry-after")).toBe("1");
      expect(headers.get("x-request-id")).toBeTruthy();
    }
  });

  it("gets its rate again after waiting as told, and a refused call costs nothing", async () => {
    const client = await openClient();
    const call = async () => (await client.call("GET", "/v1/merchants")).status;
    await systemSql()`insert into rate_buckets values (${`client:${client.clientId}`}, 0, now() + interval '1 hour')`;
    for (let tried = 0; tried < 5; tried++) expect(await call()).toBe(429);
    await later(3600 + 1 / RATES.sandbox.perSecond);
    expect(await call()).toBe(200);
  });

  it("never saves more than its burst, however long it is quiet", async () => {
    const client = await openClient();
    await client.call("GET", "/v1/merchants");
    await later(86_400);
    const replies = await times(80, () => client.call("GET", "/v1/merchants"));
    expect(replies.filter(({ status }) => status === 429).length).toBeGreaterThan(10);
  });

  it("does not use up what another client has", async () => {
    const [busy, quiet] = [await openClient(), await openClient()];
    await times(60, () => busy.call("GET", "/v1/merchants"));
    expect((await quiet.call("GET", "/v1/merchants")).status).toBe(200);
  });

  it("is let in before its idempotency key, its body or its scope's rules are looked at, never before its key is", async () => {
    const client = await openClient();
    await systemSql()`insert into rate_buckets values (${`client:${client.clientId}`}, 0, now() + interval '1 hour')`;
    const reply = await client.call("POST", "/v1/merchants", { raw: "{", headers: { "x-idempotency-key": "a b" } });
    expect(reply.status).toBe(429);
    const key = await openClient().then((other) => other.apiKey);
    expect((await client.call("POST", "/v1/merchants", { key })).status).toBe(401);
  });
});

describe("failed authentication", () => {
  it("429: the 31st within a minute from one address; another address is still told 401", async () => {
    const client = await openClient();
    const [here, there] = [newId(), newId()];
    const fail = (address: string) =>
      client.call("GET", "/v1/merchants", { key: "wrong", headers: { [ADDRESS_HEADER]: address } });
    const replies = await times(31, () => fail(here));
    expect(replies.map(({ status }) => status).sort()).toEqual([...Array(30).fill(401), 429]);
    expect(replies.find(({ status }) => status === 429)?.headers.get("retry-after")).toBe("2");
    expect((await fail(there)).status).toBe(401);
  });

  it("does not lock out who knows the key", async () => {
    const client = await openClient();
    const headers = { [ADDRESS_HEADER]: newId() };
    await times(40, () => client.call("GET", "/v1/merchants", { key: "wrong", headers }));
    expect((await client.call("GET", "/v1/merchants", { headers })).status).toBe(200);
  });
});

describe("a key that browsers hold", () => {
  const key = (): Principal => ({ kind: "public", publicKey: newId(), scopes: ["tokens"] });

  it.each([
    ["payments", 10],
    ["tokens", 60],
  ] as const)("429: %s, beyond %i a minute and address", async (limit, most) => {
    const principal = key();
    await times(most, () => limitKey(principal, limit, "1.2.3.4"));
    await expect(limitKey(principal, limit, "1.2.3.4")).rejects.toMatchObject({ status: 429, type: "api_error" });
    await limitKey(principal, limit, "5.6.7.8");
    await limitKey(key(), limit, "1.2.3.4");
    await later(60 / most);
    await limitKey(principal, limit, "1.2.3.4");
  });

  it("a secret key is not counted so", async () => {
    await times(30, () => limitKey({ kind: "secret", keyId: newId() }, "payments", "1.2.3.4"));
  });
});

describe("requests of one client at a time", () => {
  it("are twenty; the next ones wait for their turn", async () => {
    const account = await loadAccount((await openClient()).clientId);
    let [running, most] = [0, 0];
    await times(60, () =>
      inTurn(account, async () => {
        most = Math.max(most, ++running);
        await pause(20);
        running--;
      }),
    );
    expect(most).toBe(20);
  });

  it("429: those that waited two seconds in vain, and the place is free again afterwards", async () => {
    const account = await loadAccount((await openClient()).clientId);
    let release = () => {};
    const blocked = new Promise<void>((resolve) => {
      release = resolve;
    });
    const holding = times(20, () => inTurn(account, () => blocked));
    await expect(inTurn(account, async () => "late")).rejects.toMatchObject({ status: 429, retryAfterSeconds: 1 });
    release();
    await holding;
    expect(await inTurn(account, async () => "in time")).toBe("in time");
  });

  it("a request that fails gives its place back", async () => {
    const account = await loadAccount((await openClient()).clientId);
    for (let n = 0; n < 25; n++) await inTurn(account, () => Promise.reject(new Error("no"))).catch(() => undefined);
    expect(await inTurn(account, async () => "still served")).toBe("still served");
  });
});

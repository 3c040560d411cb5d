import { beforeEach, describe, expect, it } from "vitest";
import { systemSql } from "@/db/client";
import { loadAccount } from "@/lib/accounts/service";
import { type Principal, systemContext } from "@/lib/context";
import { ADDRESS_HEADER } from "@/lib/http/endpoint";
import { inTurn, limitCaller, RATES } from "@/lib/http/rate-limit";
import { newId } from "@/lib/ids";
import { uploadDocument } from "@/lib/sellers/documents";
import { openClient } from "@/lib/testing/api";
import type { List } from "@/lib/testing/api-client";
import { aPicture } from "@/lib/testing/sellers";
import { pause } from "@/lib/wait";

// Read once, at the first request of this file.
process.env.RATE_LIMITS = "on";

/** Lets time pass for every bucket. */
const later = (seconds: number) =>
  systemSql()`update rate_buckets set updated_at = updated_at - make_interval(secs => ${seconds})`;

/** A bucket with so many, that nothing flows into: what is asked about is not how fast the machine is. */
const still = (key: string, tokens: number) =>
  systemSql()`insert into rate_buckets values (${key}, ${tokens}, now() + interval '1 hour')
    on conflict (key) do update set tokens = excluded.tokens, updated_at = excluded.updated_at`;

beforeEach(async () => {
  await systemSql()`delete from rate_buckets`;
});

const times = <T>(n: number, run: () => Promise<T>) => Promise.all(Array.from({ length: n }, run));

describe("a client", () => {
  it("429: the 26th call of a sandbox account within a second, and it says how long to wait", async () => {
    const client = await openClient();
    await still(`client:${client.clientId}`, RATES.sandbox.burst);
    const replies = await times(60, () => client.call("GET", "/v1/merchants"));
    const refused = replies.filter(({ status }) => status === 429);
    expect([replies.filter(({ status }) => status === 200).length, refused.length]).toEqual([25, 35]);
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
    await client.call("GET", "/v1/merchants");
    const [bucket] = await systemSql()`select tokens from rate_buckets where key = ${`client:${client.clientId}`}`;
    expect(bucket?.tokens).toBe(RATES.sandbox.burst - 1);
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
  const key = (): Principal => {
    const publicKey = newId();
    return { kind: "public", publicKey, rootKey: publicKey, scopes: ["tokens"] };
  };

  /** What is taken beside the one rate under test is given back. */
  const onlyRate = async (name: string) => {
    await systemSql()`delete from rate_buckets where key not like ${`${name}:%`}`;
  };

  it.each([
    ["payments", 10],
    ["tokens", 60],
  ] as const)("429: %s, beyond %i a minute and address", async (limit, most) => {
    const account = await loadAccount((await openClient()).clientId);
    const principal = key();
    const ask = async (asking: Principal, ip: string) => {
      await onlyRate(limit);
      await limitCaller({ account, principal: asking, ip }, limit);
    };
    await ask(principal, "1.2.3.4");
    const full = await systemSql()`select tokens from rate_buckets where key like ${`${limit}:%`}`;
    expect(full).toMatchObject([{ tokens: most - 1 }]);
    await systemSql()`update rate_buckets set tokens = 0, updated_at = now() + interval '1 hour'`;
    await expect(ask(principal, "1.2.3.4")).rejects.toMatchObject({ status: 429, type: "api_error" });
    await ask(principal, "5.6.7.8");
    await ask(key(), "1.2.3.4");
    await later(3_600 + 60 / most);
    await ask(principal, "1.2.3.4");
  });

  it("a secret key is not counted so", async () => {
    const account = await loadAccount((await openClient({ mode: "live" })).clientId);
    const principal = { kind: "secret", keyId: newId(), rights: null } as const;
    await times(30, () => limitCaller({ account, principal, ip: "1.2.3.4" }, "payments"));
  });

  it("429: twenty calls a second, and keys that it minted are counted with it", async () => {
    const client = await openClient({ mode: "live" });
    const parent = await client.publicKey(["auth", "customers"]);
    const minted = async () =>
      (await client.make<{ publicKey: string }>("POST", "/v1/auth", { key: parent, body: { scope: "customers" } }))
        .publicKey;
    const keys = [parent, await minted(), await minted()];
    await still(`key:${parent}`, RATES.browser.burst);
    const calls = keys.flatMap((one) => Array.from({ length: 20 }, () => one));
    const replies = await Promise.all(
      calls.map((one, n) =>
        client.call("GET", "/v1/customers", { key: one, headers: { [ADDRESS_HEADER]: `198.51.100.${n}` } }),
      ),
    );
    expect(replies.filter(({ status }) => status === 200).length).toBe(20);
    expect(replies.filter(({ status }) => status === 429).length).toBe(40);
    const other = await client.publicKey("customers");
    expect((await client.call("GET", "/v1/customers", { key: other })).status).toBe(200);
  });

  it("a flood of one address, whatever keys it holds, leaves other addresses and the server alone", async () => {
    const client = await openClient({ mode: "live" });
    const keys = await times(4, () => client.publicKey("customers"));
    await still(`address:${client.clientId}:203.0.113.5`, RATES.browser.burst);
    const from = (ip: string, one: string) =>
      client.call("GET", "/v1/customers", { key: one, headers: { [ADDRESS_HEADER]: ip } });
    const flood = await Promise.all(keys.flatMap((one) => Array.from({ length: 20 }, () => from("203.0.113.5", one))));
    expect(flood.filter(({ status }) => status === 200).length).toBe(20);
    const buyer = await client.publicKey("customers");
    expect((await from("203.0.113.6", buyer)).status).toBe(200);
    expect((await client.call("GET", "/v1/customers")).status).toBe(200);
  });

  it("all of them together have half of the account's rate; its server keeps the rest", async () => {
    const client = await openClient();
    const browsers = await times(3, () => client.publicKey("customers"));
    await systemSql()`delete from rate_buckets`;
    await still(`browsers:${client.clientId}`, 0);
    for (const [n, one] of browsers.entries()) {
      const headers = { [ADDRESS_HEADER]: `203.0.113.${n}` };
      expect((await client.call("GET", "/v1/customers", { key: one, headers })).status).toBe(429);
    }
    const [ofAccount] = await systemSql()`select tokens from rate_buckets where key = ${`client:${client.clientId}`}`;
    expect(ofAccount).toBeUndefined();
    expect((await client.call("GET", "/v1/customers")).status).toBe(200);
  });
});

describe("requests of one client at a time", () => {
  const server = async () => systemContext(await loadAccount((await openClient()).clientId), newId());
  const browser = (caller: Awaited<ReturnType<typeof server>>, ip: string, publicKey = newId()) => ({
    ...caller,
    ip,
    principal: { kind: "public", publicKey, rootKey: publicKey, scopes: [] } as const,
  });

  it("are twenty; the next ones wait for their turn", async () => {
    const caller = await server();
    let [running, most] = [0, 0];
    await times(60, () =>
      inTurn(caller, async () => {
        most = Math.max(most, ++running);
        await pause(20);
        running--;
      }),
    );
    expect(most).toBe(20);
  });

  it("429: those that waited two seconds in vain, and the place is free again afterwards", async () => {
    const caller = await server();
    let release = () => {};
    const blocked = new Promise<void>((resolve) => {
      release = resolve;
    });
    const holding = times(20, () => inTurn(caller, () => blocked));
    await expect(inTurn(caller, async () => "late")).rejects.toMatchObject({ status: 429, retryAfterSeconds: 1 });
    release();
    await holding;
    expect(await inTurn(caller, async () => "in time")).toBe("in time");
  });

  it("a request that fails gives its place back", async () => {
    const caller = await server();
    for (let n = 0; n < 25; n++) await inTurn(caller, () => Promise.reject(new Error("no"))).catch(() => undefined);
    expect(await inTurn(caller, async () => "still served")).toBe("still served");
  });

  it("are ten of browsers, five of one key and address; the server's places stay free", async () => {
    const caller = await server();
    let release = () => {};
    const blocked = new Promise<void>((resolve) => {
      release = resolve;
    });
    const key = newId();
    const hold = (n: number, ip: string, one?: string) =>
      times(n, () => inTurn(browser(caller, ip, one), () => blocked));
    const holding = [hold(5, "203.0.113.5", key)];
    const late = [inTurn(browser(caller, "203.0.113.5", key), async () => "sixth")];
    holding.push(hold(5, "203.0.113.6", key));
    late.push(inTurn(browser(caller, "203.0.113.7"), async () => "eleventh"));
    for (const one of await Promise.allSettled(late))
      expect(one).toMatchObject({ status: "rejected", reason: { status: 429 } });
    expect(await times(10, () => inTurn(caller, async () => "served"))).toEqual(Array(10).fill("served"));
    release();
    await Promise.all(holding);
    expect(await inTurn(browser(caller, "203.0.113.7"), async () => "in time")).toBe("in time");
  });
});

it("an invited seller sends 20 files at once, and one more every 72 minutes", async () => {
  const client = await openClient();
  const accessId = newId();
  const ctx = { ...(await client.context()), principal: { kind: "seller", accessId } as const };
  const send = () => uploadDocument(ctx, { type: "SELFIE", file: aPicture() });
  await send();
  const [bucket] = await systemSql()`select tokens from rate_buckets where key = ${`seller-files:${accessId}`}`;
  expect(bucket?.tokens).toBe(RATES.sellerFiles.burst - 1);
  await still(`seller-files:${accessId}`, 1);
  await send();
  await expect(send()).rejects.toMatchObject({ status: 429 });
  expect((await client.make<List>("GET", "/v1/sellers/documents")).meta.totalItems).toBe(2);
  await later(3_600 + 72 * 60);
  await send();
});

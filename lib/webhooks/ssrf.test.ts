import type { LookupAddress } from "node:dns";
import { createServer, type Server } from "node:net";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { recordProof } from "@/lib/testing/proof";
import { checkedLookup, createConnections, type EndpointConnections, type Resolve } from "@/lib/webhooks/connection";
import { judgeEndpoint } from "@/lib/webhooks/endpoint-rules";
import { postToEndpoint } from "@/lib/webhooks/send";
import { openReceiver, status } from "@/lib/webhooks/testing";

/** Listens on the loopback of both families; whoever reaches it has got past the rules. */
const sentinels: Server[] = [];
let port = 0;
let reached = 0;

async function openSentinel(host: string, at: number): Promise<void> {
  const server = createServer((socket) => {
    reached += 1;
    socket.destroy();
  });
  await new Promise<void>((ready) => {
    server.once("error", () => ready());
    server.listen(at, host, ready);
  });
  if (!server.listening) return;
  sentinels.push(server);
  const address = server.address();
  if (typeof address === "object" && address) port = address.port;
}
beforeAll(async () => {
  await openSentinel("0.0.0.0", 0);
  await openSentinel("::1", port);
});
afterAll(() => Promise.all(sentinels.map((server) => new Promise((closed) => server.close(closed)))));

const v4 = [
  ..."127.0.0.1 127.0.0.2 127.255.255.254 127.1 127.0.1 2130706433 0x7f000001 0x7f.0.0.1 0x7f.1 017700000001 0177.0.0.1".split(
    " ",
  ),
  ..."0.0.0.0 0 0.1.2.3 10.0.0.1 10.255.255.255 172.16.0.1 172.31.255.255 192.168.0.1 192.168.255.255".split(" "),
  ..."169.254.169.254 169.254.170.2 100.64.0.1 100.100.100.200 100.127.255.255 192.0.0.1 192.0.0.170 192.88.99.1".split(
    " ",
  ),
  ..."198.18.0.1 198.19.255.255 192.0.2.1 198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.255 240.0.0.1".split(" "),
  ..."255.255.255.255 168.63.129.16 8.8.8.8 134744072".split(" "),
];
const v6 = [
  ..."[::] [::1] [::ffff:127.0.0.1] [::ffff:7f00:1] [::127.0.0.1] [::ffff:0:127.0.0.1] [::ffff:169.254.169.254]".split(
    " ",
  ),
  ..."[fc00::1] [fd00:ec2::254] [fe80::1] [fec0::1] [64:ff9b::7f00:1] [64:ff9b::a9fe:a9fe] [64:ff9b:1::1]".split(" "),
  ..."[2002:7f00:1::] [2001::1] [2001:db8::1] [3fff::1] [5f00::1] [100::1] [ff02::1] [2606:4700::1111]".split(" "),
];
const names = [
  ..."localhost localhost. LOCALHOST localhost.localdomain intranet metadata metadata.google.internal a.internal".split(
    " ",
  ),
  ..."printer.local db.localhost router.home.arpa nas.lan wiki.corp trilho.test hooks loja .. a..example.com".split(
    " ",
  ),
];
const spellings = [
  "https://user@hooks.loja.example/",
  "https://user:pass@hooks.loja.example/",
  "https://@hooks.loja.example/",
  "https://hooks.loja.example@127.0.0.1/",
  "https://hooks.loja.example\\@127.0.0.1/",
  "https:\\\\127.0.0.1\\",
  "https://127.0.0.1\t/",
  "https://local\thost/",
  "https://local\nhost/",
  " https://hooks.loja.example/",
  "https://hooks.loja.example/ ",
  "https://127%2e0%2e0%2e1/",
  "https://hooks.loja.example%2f@127.0.0.1/",
  "https://127。0。0。1/",
  "https://①②⑦.⓪.⓪.①/",
  "https://１２７.０.０.１/",
  "https://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/",
  "https:127.0.0.1",
  "//127.0.0.1/",
  "127.0.0.1",
  "https://",
  "https:///",
  "",
];
const schemes = [
  ..."file:///etc/passwd gopher://127.0.0.1:6379/_x ftp://hooks.loja.example/ data:text/plain,x".split(" "),
  ..."javascript:alert(1) ws://hooks.loja.example/ wss://hooks.loja.example/ http://hooks.loja.example/".split(" "),
  ..."dict://127.0.0.1:11211/ ldap://127.0.0.1/ unix:/var/run/docker.sock blob:https://hooks.loja.example/".split(" "),
];
const ports = [
  22, 25, 53, 80, 110, 143, 587, 1433, 2375, 3306, 3389, 5432, 5672, 6379, 6443, 9200, 10250, 11211, 27017,
];

const refused = [
  ...v4.flatMap((host) => [`https://${host}/hook`, `https://${host}:PORT/hook`]),
  ...v6.map((host) => `https://${host}:PORT/hook`),
  ...names.map((host) => `https://${host}:PORT/hook`),
  ...spellings,
  ...schemes,
  ...ports.map((one) => `https://hooks.loja.example:${one}/`),
];

describe("an endpoint that is not on the public internet", () => {
  it("counts enough spellings to be worth the name", () => expect(refused.length).toBeGreaterThanOrEqual(120));

  it.each(refused)(
    "is refused when it is registered, and connects nowhere when it stands in the table: %j",
    async (text) => {
      const connections = createConnections();
      const address = text.replaceAll("PORT", String(port));
      expect(judgeEndpoint(address, "public")).toHaveProperty("problem");
      const answer = await postToEndpoint(
        connections,
        { address, reach: "public", headers: {}, body: Buffer.from("{}") },
        500,
      );
      await connections.close();
      expect([answer.error, answer.statusCode, reached]).toEqual(["blocked_address", undefined, 0]);
    },
  );

  it.each([
    "https://hooks.loja.example/",
    "https://hooks.loja.example:8443/a?b=c",
    "https://hooks.loja.example./",
    "https://xn--caf-dma.example/",
    "https://café.example/",
  ])("and a public one is not: %j", (text) => {
    expect(judgeEndpoint(text, "public")).toHaveProperty("endpoint.network", "public");
  });
});

const answering =
  (...answers: string[][]): Resolve =>
  (_, done) => {
    const addresses = answers.length > 1 ? answers.shift() : answers[0];
    done(
      null,
      (addresses ?? []).map((address): LookupAddress => ({ address, family: address.includes(":") ? 6 : 4 })),
    );
  };

const hidden = [
  ...v4.filter((host) => /^\d+(\.\d+){3}$/.test(host) && host !== "8.8.8.8" && host !== "0177.0.0.1"),
  ...v6.map((host) => host.slice(1, -1)).filter((host) => host !== "2606:4700::1111"),
];
/** Addresses behind names, pairs of them, and redirects. */
const NAMES_TRIED = hidden.length + 3 + 5;

describe("a name", () => {
  const postTo = async (connections: EndpointConnections) => {
    const address = `https://rebind.loja.example:${port}/`;
    const answer = await postToEndpoint(
      connections,
      { address, reach: "public", headers: {}, body: Buffer.from("{}") },
      700,
    );
    await connections.close();
    return answer;
  };

  it.each(hidden)("that resolves to %s is connected to nowhere", async (address) => {
    expect(await postTo(createConnections({ resolve: answering([address]) }))).toMatchObject({
      error: "blocked_address",
    });
    expect(reached).toBe(0);
  });

  it("with one public and one private address is refused, in whatever order", async () => {
    for (const addresses of [
      ["8.8.8.8", "127.0.0.1"],
      ["127.0.0.1", "8.8.8.8"],
      ["2606:4700::1111", "::1"],
    ]) {
      const answer = await postTo(createConnections({ resolve: answering(addresses) }));
      expect(answer.error).toBe("blocked_address");
    }
    expect(reached).toBe(0);
  });

  it("is resolved once for the check and the connection: what it says later is not asked", async () => {
    let asked = 0;
    const rebinding: Resolve = (_, done) => {
      asked += 1;
      // 192.0.0.0/24 is never routed; the first answer only has to pass for public.
      done(null, [{ address: asked === 1 ? "8.8.8.8" : "127.0.0.1", family: 4 }]);
    };
    const lookup = checkedLookup("public", rebinding);
    const found = await new Promise((done) => lookup("rebind.loja.example", {}, (_, address) => done(address)));
    expect([found, asked]).toEqual(["8.8.8.8", 1]);
    const second = await new Promise((done) => lookup("rebind.loja.example", {}, (error) => done(error?.code)));
    expect(second).toBe("ERR_BLOCKED_ADDRESS");
  });

  it("that does not resolve, or resolves to nothing, is a failure of its own kind", async () => {
    const unknown: Resolve = (_, done) => done(Object.assign(new Error("no such name"), { code: "ENOTFOUND" }), []);
    expect(await postTo(createConnections({ resolve: unknown }))).toMatchObject({ error: "dns" });
    expect(await postTo(createConnections({ resolve: answering([]) }))).toMatchObject({ error: "blocked_address" });
  });
});

describe("the loopback of a sandbox account", () => {
  it.each(["http://127.0.0.1:PORT/", "http://localhost:PORT/a", "http://[::1]:PORT/", "https://127.0.0.1:PORT/"])(
    "is open on an unprivileged port: %s",
    (text) => {
      expect(judgeEndpoint(text.replace("PORT", "4010"), "loopback")).toHaveProperty("endpoint.network", "loopback");
    },
  );

  it.each([
    "http://127.0.0.1/",
    "http://127.0.0.1:80/",
    "http://127.0.0.1:1023/",
    "http://127.0.0.1:5432/",
    "http://127.0.0.1:6379/",
    "http://localhost:3000/",
    `http://localhost:${new URL(process.env.DATABASE_URL ?? "").port}/`,
    "http://10.0.0.1:4010/",
    "http://169.254.169.254/",
    "http://0.0.0.0:4010/",
    "http://[::]:4010/",
    "http://[::ffff:127.0.0.1]:4010/",
    "http://printer.local:4010/",
    "http://hooks.loja.example/",
    "ftp://127.0.0.1:4010/",
    "http://user@127.0.0.1:4010/",
  ])("and nothing beside it: %s", (text) => {
    expect(judgeEndpoint(text, "loopback")).toHaveProperty("problem");
  });

  it("leads nowhere else when localhost does", async () => {
    const connections = createConnections({ resolve: answering(["10.0.0.1"]) });
    const address = `http://localhost:${port}/`;
    const answer = await postToEndpoint(
      connections,
      { address, reach: "loopback", headers: {}, body: Buffer.from("{}") },
      500,
    );
    await connections.close();
    expect([answer.error, reached]).toEqual(["blocked_address", 0]);
  });
});

describe("an installation for development that was told so", () => {
  it.each(["http://10.0.0.1:4010/", "http://app:8080/hook", "http://192.168.1.20/", "https://[fd12::1]:4010/"])(
    "may reach private networks: %s",
    (text) => expect(judgeEndpoint(text, "private")).toHaveProperty("endpoint.network", "private"),
  );

  it.each([
    "http://169.254.169.254/",
    "http://[fd00:ec2::254]/",
    "http://[fe80::1]:4010/",
    "http://0.0.0.0:4010/",
    "http://100.100.100.200/",
    "http://10.0.0.1:6379/",
    "http://10.0.0.1:22/",
    "http://10.0.0.1:3000/",
    "http://user@10.0.0.1:4010/",
    "ftp://10.0.0.1:4010/",
  ])("and nothing beside them: %s", (text) => expect(judgeEndpoint(text, "private")).toHaveProperty("problem"));

  it("connects to no name that leads elsewhere", async () => {
    const connections = createConnections({ resolve: answering(["169.254.169.254"]) });
    const posting = { address: "http://app:8080/", reach: "private" as const, headers: {}, body: Buffer.from("{}") };
    expect(await postToEndpoint(connections, posting, 500)).toMatchObject({ error: "blocked_address" });
    await connections.close();
  });

  it("says so with a variable, for sandbox accounts alone, and never in production", async () => {
    for (const [variables, mode, expected] of [
      [{ WEBHOOK_ADDRESSES: "private", NODE_ENV: "development" }, "sandbox", "private"],
      [{ WEBHOOK_ADDRESSES: "private", NODE_ENV: "development" }, "live", "public"],
      [{ WEBHOOK_ADDRESSES: "private", NODE_ENV: "production", HOST: "0.0.0.0" }, "sandbox", "public"],
      [{ NODE_ENV: "development", HOST: "127.0.0.1" }, "sandbox", "loopback"],
      [{ HOST: "::1", BASE_URL: "http://[::1]:3000" }, "sandbox", "loopback"],
      [{ HOST: "127.0.0.1" }, "live", "public"],
      [{ HOST: "0.0.0.0" }, "sandbox", "public"],
      [{ HOST: "127.0.0.1", BASE_URL: "https://trilho.example" }, "sandbox", "public"],
      [{ HOST: "127.0.0.1", TRUST_PROXY: "1" }, "sandbox", "public"],
    ] as const) {
      vi.resetModules();
      for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
      const { reachOf } = await import("@/lib/webhooks/endpoint-rules");
      expect(reachOf({ mode })).toBe(expected);
      vi.unstubAllEnvs();
    }
  });
});

it.each([301, 302, 303, 307, 308])("a redirect with %i is followed nowhere", async (code) => {
  const receiver = await openReceiver(status(code, { location: `http://127.0.0.1:${port}/` }));
  const connections = createConnections();
  const posting = { address: receiver.url, reach: "loopback" as const, headers: {}, body: Buffer.from('{"data":{}}') };
  const answer = await postToEndpoint(connections, posting, 1_000);
  await Promise.all([connections.close(), receiver.stop()]);
  expect([answer.statusCode, answer.error, reached]).toEqual([code, "redirect", 0]);
});

it("the sentinel was there to be reached", async () => {
  recordProof({
    ran: refused.length + NAMES_TRIED,
    violations: reached === 0 ? [] : [`${reached} connections reached the sentinel`],
    figures: { cases: refused.length + NAMES_TRIED },
  });
  const connections = createConnections();
  const address = `http://127.0.0.1:${port}/`;
  await postToEndpoint(connections, { address, reach: "loopback", headers: {}, body: Buffer.from("{}") }, 500);
  await connections.close();
  expect(reached).toBe(1);
});

import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

/** The checkout over HTTP, and somebody in between who changes what arrives. */
let meddle: (answer: Response, path: string) => Promise<Response> | Response = (answer) => answer;
const server = createServer(async (request, response) => {
  const { serveFetch } = await import("@/scripts/server/adapter");
  const { serveCheckout } = await import("@/lib/testing/checkout-routes");
  const serve = async (asked: Request): Promise<Response> => {
    const { pathname } = new URL(asked.url);
    const answer = pathname.startsWith("/checkout/")
      ? new Response(await readFile(join(process.cwd(), "public", pathname)))
      : await serveCheckout(asked);
    return meddle(answer, pathname);
  };
  serveFetch(serve, request, response, origin).catch(() => response.destroy());
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const address = server.address();
const origin = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
// Read once, so it is said before anything reads it.
Object.assign(process.env, { BASE_URL: origin, OPERATOR_EMAIL: "plantao@trilho.example" });

const { systemSql } = await import("@/db/client");
const { comparePages } = await import("@/lib/checkout/compare-pages");
const { takeReports, readReports } = await import("@/lib/checkout/policy-reports");
const { writeNotices } = await import("@/lib/notices/write");
const { metricsText } = await import("@/lib/invariants/metrics");
const { openClient } = await import("@/lib/testing/api");
const { withMerchant } = await import("@/lib/testing/payments");
const { openSession } = await import("@/lib/testing/sessions");
const { createOperator } = await import("@/lib/sign-in/service");
const { systemDb } = await import("@/db/client");
const { buildIslands } = await import("@/scripts/start/islands");

let clientId: string;
let link: { id: string };
beforeAll(async () => {
  await buildIslands();
});
beforeEach(async () => {
  meddle = (answer) => answer;
  await systemSql()`update sessions set is_active = false`;
  const shop = await withMerchant(await openClient());
  clientId = shop.client.clientId;
  link = await openSession(shop);
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const told = async () =>
  (
    await systemSql()<{ name: string }[]>`
    select name from notices where client_id = ${clientId} and kind = 'payment_page' order by created_at, id`
  ).map(({ name }) => name);
const lettersTo = (email: string) =>
  systemSql()<{ data: { kind: string } }[]>`
    select data from emails where recipient = ${email} and template = 'operator-notice' order by id`;

const html = (change: (text: string) => string) => async (answer: Response, path: string) =>
  path.startsWith("/pay/") ? new Response(change(await answer.text()), answer) : answer;
const header = (name: string, value: string | null) => (answer: Response, path: string) => {
  if (!path.startsWith("/pay/")) return answer;
  const headers = new Headers(answer.headers);
  if (value === null) headers.delete(name);
  else headers.set(name, value);
  return new Response(answer.body, { status: answer.status, headers });
};

describe("the daily comparison of the payment page", () => {
  test("finds nothing in what the build made, keeps that, and is no visit of the link", async () => {
    expect(await comparePages()).toEqual({ pages: 1, differences: [], failure: null });
    const [kept] =
      await systemSql()`select pages, differences, failure from page_checks order by checked_at desc limit 1`;
    expect(kept).toEqual({ pages: 1, differences: [], failure: null });
    expect(await systemSql()`select 1 from link_visits where session_id = ${link.id}`).toHaveLength(0);
    expect(await told()).toEqual([]);
  });

  const nonce = (text: string) => /nonce="([^"]+)"/.exec(text)?.[1] ?? "";
  test.each([
    [
      "script",
      "a script from elsewhere",
      html((t) => t.replace("</head>", `<script nonce="${nonce(t)}" src="https://evil.example/x.js"></script></head>`)),
    ],
    [
      "script",
      "an inline script",
      html((t) => t.replace("</body>", `<script nonce="${nonce(t)}">steal()</script></body>`)),
    ],
    ["script", "a script without the nonce", html((t) => t.replace(/(<script[^>]*) nonce="[^"]*"/, "$1"))],
    ["script", "an event handler", html((t) => t.replace("<main", '<main onclick="steal()"'))],
    ["script", "a frame", html((t) => t.replace("</body>", '<iframe src="/x"></iframe></body>'))],
    ["content-security-policy", "a wider policy", header("content-security-policy", "script-src * 'unsafe-inline'")],
    ["content-security-policy", "no policy", header("content-security-policy", null)],
    ["referrer-policy", "another header", header("referrer-policy", "unsafe-url")],
    ["link", "a header that loads something", header("link", "<https://evil.example/x.js>; rel=preload; as=script")],
  ] as const)("tells of %s: %s", async (name, _what, change) => {
    meddle = change;
    const { differences } = await comparePages();
    expect(differences.length).toBeGreaterThan(0);
    expect(differences.every(({ page }) => page === link.id)).toBe(true);
    expect(await told()).toContain(name);
  });

  test("tells of a changed script, once a day, to people and to the installation", async () => {
    const email = `dona-${clientId.slice(-8)}@equipe.example`;
    await createOperator(systemDb(), {
      email,
      name: "Bia Reis",
      password: "correct horse battery staple",
      clientId,
      role: "owner",
    });
    meddle = async (answer, path) =>
      path.includes("/core.") ? new Response(`${await answer.text()};steal()`, answer) : answer;
    const first = await comparePages();
    expect(first.differences).toEqual([
      { page: link.id, what: "script", detail: expect.stringContaining("/checkout/core.") },
    ]);
    await comparePages();
    expect(await told()).toEqual(["script"]);
    await writeNotices();
    expect((await lettersTo(email)).map(({ data }) => data.kind)).toEqual(["payment_page"]);
    expect((await lettersTo("plantao@trilho.example")).map(({ data }) => data.kind)).toEqual(["payment_page"]);
    const { body } = await metricsText();
    expect(body).toMatch(/trilho_payment_page_differences 1\b/);
    expect(body).toMatch(/trilho_payment_page_alarms [1-9]/);
  });

  test("that reads nothing says why", async () => {
    meddle = () => {
      throw new Error("away");
    };
    const { pages, differences, failure } = await comparePages();
    expect([pages, differences]).toEqual([0, []]);
    expect(failure).toBeTruthy();
    expect(await told()).toEqual([]);
  });
});

describe("what a browser reports of a payment page", () => {
  const violation = (
    id: string,
    effectiveDirective: string,
    blockedURL = "https://evil.example/x.js",
    from = origin,
  ) => ({
    type: "csp-violation",
    body: { documentURL: `${from}/pay/${id}?method=card`, effectiveDirective, blockedURL },
  });
  const post = async (...reports: object[]) =>
    (await fetch(`${origin}/pay/csp-reports`, { method: "POST", body: JSON.stringify(reports) })).status;

  test("is told to the account's people, of each directive once a day, however often it comes", async () => {
    for (let n = 0; n < 3; n++)
      expect(await post(violation(link.id, "script-src-elem"), violation(link.id, "connect-src"))).toBe(204);
    expect(await told()).toEqual(["script-src-elem", "connect-src"]);
  });

  test("by a stranger of no link, of a closed one or of another site is told to nobody", async () => {
    const reports = readReports(
      JSON.stringify([
        violation("0192f1c0-1111-7aaa-8bbb-000000000001", "script-src-elem"),
        violation(link.id, "script-src-elem", "inline", "https://evil.example"),
        violation(link.id, "call-0800-1234"),
      ]),
    );
    expect(reports).toHaveLength(1);
    const tomorrow = new Date(Date.now() + 86_400_000);
    expect(await takeReports(reports, tomorrow)).toBe(0);
    await systemSql()`update sessions set status = 'canceled' where id = ${link.id}`;
    expect(await takeReports(readReports(JSON.stringify([violation(link.id, "img-src")])), tomorrow)).toBe(0);
    expect(await told()).toEqual([]);
  });

  test("a flood is thirty a minute", async () => {
    const ten = readReports(JSON.stringify(Array.from({ length: 10 }, () => violation(link.id, "img-src", "inline"))));
    const at = new Date("2030-01-01T00:00:00Z");
    const taken: number[] = [];
    for (let n = 0; n < 5; n++) taken.push(await takeReports(ten, at));
    expect(taken).toEqual([10, 10, 10, 0, 0]);
    expect(await takeReports(ten, new Date("2030-01-01T00:01:00Z"))).toBe(10);
    expect(await told()).toEqual(["img-src"]);
  });
});

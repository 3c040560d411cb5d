import { beforeAll, describe, expect, test, vi } from "vitest";
import { env } from "@/lib/env";
import { openClient } from "@/lib/testing/api";
import { cardFields, PERSON, unescaped, visitorOf } from "@/lib/testing/buyer";
import { serveCheckout } from "@/lib/testing/checkout-routes";
import { type ChargeReply, type Shop, withMerchant } from "@/lib/testing/payments";
import { CREDIT, openSession, PIX, type SessionReply } from "@/lib/testing/sessions";
import { placeOf } from "@/scripts/server/hosts";
import { buildIslands } from "@/scripts/start/islands";

const CHECKOUT = "https://pay.trilho.test";

vi.mock("@/lib/env", async (original) => {
  const real = await original<typeof import("@/lib/env")>();
  return { ...real, env: () => ({ ...real.env(), CHECKOUT_URL: CHECKOUT }) };
});

/** What the browser asks of the checkout's own host, placed as the server in front places it. */
async function ask(request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const { host, origin } = new URL(CHECKOUT);
  const placed = placeOf(host, `${pathname}${search}`, env());
  if (placed.kind !== "serve") return new Response("not found", { status: 404 });
  const headers = new Headers(request.headers);
  headers.set("host", host);
  headers.delete("sec-fetch-site");
  if (request.method === "POST") headers.set("origin", origin);
  const body = request.method === "POST" ? await request.text() : null;
  return serveCheckout(new Request(new URL(placed.url, CHECKOUT), { method: request.method, headers, body }));
}

let shop: Shop;
beforeAll(async () => {
  await buildIslands();
  shop = await withMerchant(await openClient());
});

const chargesOf = async ({ id }: SessionReply) =>
  (await shop.client.make<{ items: ChargeReply[] }>("GET", "/v1/charges", { query: { sessionId: id } })).items;
/** Paths that the page leads to or loads; on this host only links, payments and their assets exist. */
const pathsIn = (html: string): string[] =>
  [...html.matchAll(/(?:href|src|action|content)="(\/[^"#]*)"/g)].map(([, path = ""]) => path);

describe("the checkout on a host of its own", () => {
  test("a link is opened, paid by Pix and leads to its receipt, without a path beside the link's own", async () => {
    const link = await openSession(shop, { paymentMethods: [PIX] });
    expect(link.paymentLink).toBe(`${CHECKOUT}/${link.id}`);
    const buyer = visitorOf(ask);
    const open = await buyer.open(`/${link.id}`);
    expect([open.status, open.state]).toEqual([200, "open"]);
    const pix = await buyer.send(open, "pix", PERSON);
    expect([pix.state, pix.path.startsWith(`/${link.id}/p/`)]).toEqual(["pix", true]);
    const [charge] = await chargesOf(link);
    await shop.client.make("POST", `/v1/sandbox/pix/${charge?.id}/pay`, { body: {} });
    const paid = await buyer.open(pix.path);
    expect([paid.state, paid.html.includes("receipt.pdf")]).toEqual(["paid", true]);
    for (const { html } of [open, pix, paid])
      for (const path of pathsIn(html))
        expect(placeOf(new URL(CHECKOUT).host, path, env()), path).not.toEqual({ kind: "absent" });
  });

  test("a card is declined on the page and approved after it; cookies are the host's own", async () => {
    const link = await openSession(shop, { paymentMethods: [CREDIT] });
    const buyer = visitorOf(ask);
    const open = await buyer.open(`/${link.id}?method=card`);
    expect(open.headers.getSetCookie()[0]).toMatch(/^__Host-visit=[^;]+; Path=\/; .*HttpOnly; SameSite=Lax; Secure$/);
    expect(open.headers.get("reporting-endpoints")).toBe('csp="/csp-reports"');
    const declined = await buyer.send(open, "card", cardFields("decline:insufficient_funds"));
    expect([declined.state, declined.text.includes("Nada foi cobrado.")]).toEqual(["open", true]);
    // The page stands at the address of its form, which is where its other language is asked for too.
    const [, address = ""] = /<button lang="en"[^>]* formAction="([^"]*)"/i.exec(declined.html) ?? [];
    expect(unescaped(address)).toBe(`/${link.id}/card?lang=en`);
    const other = await buyer.send(declined, "card", { to: "en" });
    expect([other.status, other.state, other.html.includes('<html lang="en"')]).toEqual([200, "open", true]);
    expect((await buyer.send(declined, "card", cardFields("approve"))).state).toBe("paid");
  });

  test("404: everything else that this installation serves", async () => {
    const buyer = visitorOf(ask);
    const link = await openSession(shop, { paymentMethods: [PIX] });
    const paths = [
      "/",
      "/v1/sessions",
      "/dashboard/payments",
      "/docs/embed",
      `/pay/${link.id}`,
      "/sandbox/3ds/x",
      "/sandbox/wallets/x",
    ];
    for (const path of paths) expect((await buyer.open(path)).status, path).toBe(404);
    expect((await buyer.open("/dashboard")).state).toBe("unknown");
  });
});

import { beforeAll, describe, expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { loadPayment } from "@/lib/checkout/load";
import { newId } from "@/lib/ids";
import { openSession as openLink } from "@/lib/sessions/open";
import { openClient } from "@/lib/testing/api";
import { PERSON, pathOf, type Shown } from "@/lib/testing/buyer";
import { newBuyer, serveCheckout } from "@/lib/testing/checkout-routes";
import { type Shop, withMerchant } from "@/lib/testing/payments";
import { CREDIT, openSession, PIX } from "@/lib/testing/sessions";

let shop: Shop;
beforeAll(async () => {
  shop = await withMerchant(await openClient());
});

const aPix = async () => {
  const link = await openSession(shop, { paymentMethods: [PIX] });
  const buyer = await newBuyer();
  const open = await buyer.open(pathOf(link));
  return { link, buyer, open, pix: await buyer.send(open, "pix", PERSON) };
};

describe("every answer of the checkout", () => {
  test("is nobody's to keep, to frame, to index or to guess at", async () => {
    const { open, pix, buyer } = await aPix();
    const unknown = await buyer.open("/pay/nothing-at-all");
    const status = await serveCheckout(new Request(new URL(`${pix.path.split("?")[0]}/status`, "http://trilho.test")));
    for (const headers of [open.headers, pix.headers, unknown.headers, status.headers]) {
      expect(Object.fromEntries(headers)).toMatchObject({
        "strict-transport-security": "max-age=63072000; includeSubDomains",
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
        "permissions-policy": expect.stringContaining("camera=()"),
        "x-robots-tag": "noindex",
        "cache-control": "no-store",
      });
    }
    for (const { headers } of [open, pix, unknown])
      expect(headers.get("content-security-policy")).toMatch(
        /form-action 'self';.*trusted-types trilho; report-to csp$/,
      );
  });

  test("holds neither the session's public key nor any other secret of the account", async () => {
    const { link, open, pix } = await aPix();
    const [row] = await systemSql()<{ public_key: string; client_id: string }[]>`
      select public_key, client_id from sessions where id = ${link.id}`;
    for (const { html } of [open, pix])
      for (const secret of [row?.public_key, row?.client_id, shop.client.apiKey, shop.merchant.id])
        expect(html.includes(secret ?? "-")).toBe(false);
  });
});

test("a payment can be simulated on sandbox accounts alone", async () => {
  const { link, pix } = await aPix();
  expect(pix.html).toMatch(/action="[^"]+\/simulate"/);
  const opened = await openLink(link.id, { requestId: newId() });
  const [charge] = await systemSql()<{ id: string }[]>`select id from charges where session_id = ${link.id}`;
  if (!opened || !charge) throw new Error("the link does not open");
  const live = { ...opened.ctx, account: { ...opened.ctx.account, mode: "live" as const } };
  expect((await loadPayment(opened.ctx, link.id, charge.id))?.view.canSimulate).toBe(true);
  expect((await loadPayment(live, link.id, charge.id))?.view.canSimulate).toBe(false);
});

test("the code of a Pix has four modules of white around it, black on white in every theme", async () => {
  const { pix } = await aPix();
  const [, x, y, width, height, label, side] =
    /class="qr"><svg viewBox="(-?\d+) (-?\d+) (\d+) (\d+)" role="img" aria-label="([^"]+)"[^>]*><path d="M0 0.5h7M?[^"]*" stroke="#000" stroke-width="1"()/.exec(
      pix.html,
    ) ?? [];
  expect([x, y, side]).toEqual(["-4", "-4", ""]);
  expect([Number(width), label]).toEqual([Number(height), expect.stringContaining("R$")]);
  expect(pix.html).toContain(".qr{width:min(100%,15.5rem);margin:0 auto;padding:.75rem;background:#fff");
});

describe("the open page", () => {
  const inputs = ({ html }: Shown, form: string): Record<string, string> => {
    const [, fields = ""] = new RegExp(`data-form="${form}"(.*?)</form>`, "s").exec(html) ?? [];
    return Object.fromEntries(
      [...fields.matchAll(/<(?:input|select)[^>]* name="(\w+)"[^>]*>/g)].map(([tag, name = ""]) => {
        const [, complete = ""] = /autocomplete="([^"]*)"/i.exec(tag) ?? [];
        const [, mode = ""] = /inputmode="([^"]*)"/i.exec(tag) ?? [];
        return [name, `${complete} ${mode}`.trim()];
      }),
    );
  };

  test("names its fields for browsers and asks for digits where digits are wanted", async () => {
    const buyer = await newBuyer();
    const page = await buyer.open(pathOf(await openSession(shop, { paymentMethods: [CREDIT, PIX] })));
    expect(inputs(page, "card")).toMatchObject({
      cardNumber: "cc-number numeric",
      cardHolderName: "cc-name",
      cardExpiration: "cc-exp numeric",
      cardCvv: "cc-csc numeric",
      email: "email email",
    });
    expect(inputs(page, "pix")).toMatchObject({ name: "name", email: "email email" });
  });

  test("opens the link's first method, or the one of its address; a single one is no choice", async () => {
    const buyer = await newBuyer();
    const link = await openSession(shop, { paymentMethods: [CREDIT, PIX] });
    const opened = async (query: string) =>
      [...(await buyer.open(pathOf(link, query))).html.matchAll(/<details[^>]*name="method"[^>]*>/g)].flatMap(
        ([tag]) => (/ open=""/.test(tag) ? [/data-method="(\w+)"/.exec(tag)?.[1]] : []),
      );
    expect([await opened(""), await opened("?method=pix"), await opened("?method=nonsense")]).toEqual([
      ["card"],
      ["pix"],
      ["card"],
    ]);
    const { open } = await aPix();
    expect([/<details[^>]*name="method"/.test(open.html), /<form[^>]*data-form="pix"/.test(open.html)]).toEqual([
      false,
      true,
    ]);
  });
});

import { beforeEach, expect, test, vi } from "vitest";
import { systemSql } from "@/db/client";
import { writeBuyerMails } from "@/lib/buyer-mails/write";
import { openClient } from "@/lib/testing/api";
import { type Buyer, PERSON, pathOf, type Shown } from "@/lib/testing/buyer";
import { newBuyer } from "@/lib/testing/checkout-routes";
import { queuedMails } from "@/lib/testing/mail";
import { type ChargeReply, type Shop, withMerchant } from "@/lib/testing/payments";
import { BOLETO, openSession, PIX, type SessionReply, unlikeRows } from "@/lib/testing/sessions";

/** Several pages and payments each, beside whatever else the machine does. */
vi.setConfig({ testTimeout: 60_000 });

let shop: Shop;
let buyer: Buyer;
beforeEach(async () => {
  shop = await withMerchant(await openClient());
  buyer = await newBuyer();
  await shop.client.make("POST", "/v1/sandbox/clock", { body: { freeze: true } });
});

const advance = (duration: string) => shop.client.make("POST", "/v1/sandbox/clock", { body: { advance: duration } });
const pay = (id: string, body: object = {}) => shop.client.make("POST", `/v1/sandbox/pix/${id}/pay`, { body });
const charges = async ({ id }: SessionReply): Promise<ChargeReply[]> =>
  (await shop.client.make<{ items: ChargeReply[] }>("GET", "/v1/charges", { query: { sessionId: id } })).items;

async function aCode(more: { email?: string } = {}): Promise<{ link: SessionReply; page: Shown; id: string }> {
  const link = await openSession(shop, { paymentMethods: [PIX] });
  const page = await buyer.send(await buyer.open(pathOf(link)), "pix", { ...PERSON, ...more });
  expect(page.state).toBe("pix");
  return { link, page, id: (await charges(link))[0]?.id ?? "" };
}

/** Cents that came for the codes of a link, less what went back. */
async function kept({ id }: SessionReply): Promise<number> {
  const [row] = await systemSql()<{ cents: number }[]>`
    select coalesce(sum(case m.kind when 'payment' then m.amount when 'capture' then m.amount when 'refund' then -m.amount else 0 end), 0)::int as cents
      from sandbox_movements m join sandbox_transactions t on t.id = m.transaction_id
      join charges c on c.id = t.charge_id where c.session_id = ${id}`;
  return row?.cents ?? 0;
}
const codeOf = ({ html }: Shown): string => /id="code"[^>]*>([^<]*)</.exec(html)?.[1] ?? "";

test("paid in the last second: the page says so, and nobody is asked for more", async () => {
  const { link, page, id } = await aCode();
  await advance("PT59M59S");
  await pay(id);
  await advance("PT1H");
  expect((await buyer.open(page.path)).state).toBe("paid");
  expect((await buyer.open(pathOf(link))).state).toBe("paid");
  expect(await kept(link)).toBe(link.amount);
});

test("paid in the last second while no notification comes: the provider is asked at the end", async () => {
  const { link, page, id } = await aCode();
  await pay(id, { at: new Date(Date.parse((await charges(link))[0]?.expiresAt ?? "") - 1_000).toISOString() });
  await advance("PT1H1S");
  expect((await buyer.open(page.path)).state).toBe("paid");
  expect(await kept(link)).toBe(link.amount);
});

test("paid after closing: all of it goes back, and a new code is one press away", async () => {
  const { link, page, id } = await aCode();
  await pay(id, { after: "expiry" });
  await advance("PT2H");
  const late = await buyer.open(page.path);
  expect(late.state).toBe("pixLate");
  expect(late.text).toMatch(/ID da transação: E[0-9A-Za-z]{31}/);
  expect(await kept(link)).toBe(0);
  const next = await buyer.send(late, "renew");
  expect([next.state, codeOf(next) === codeOf(page)]).toEqual(["pix", false]);
});

test("paid twice: one payment stays, the other goes back", async () => {
  const { link, page, id } = await aCode();
  await pay(id, { times: 2 });
  await advance("PT10M");
  expect((await buyer.open(page.path)).state).toBe("paid");
  expect(await kept(link)).toBe(link.amount);
  expect(await unlikeRows(shop)).toEqual([]);
});

test("renewed twice: never a second code that can be paid", async () => {
  const { link, page } = await aCode();
  await advance("PT2H");
  const expired = await buyer.open(page.path);
  expect(expired.state).toBe("pixExpired");
  // It may have been paid in the bank's app all the same: the page hears of it.
  expect(expired.html).toMatch(/<script[^>]*src="[^"]*live/);
  const [one, second] = await Promise.all([buyer.send(expired, "renew"), buyer.send(expired, "renew")]);
  // Either of the two may be shown the page before the bank has given the code.
  const first = await buyer.open(one.path);
  expect([first.state, second.path.split("?")[0]]).toEqual(["pix", first.path.split("?")[0]]);
  await advance("PT2H");
  const third = await buyer.send(await buyer.open(first.path), "renew");
  expect(new Set([codeOf(page), codeOf(first), codeOf(third)]).size).toBe(3);
  const open = (await charges(link)).filter(({ status }) => status === "pending");
  expect(open).toHaveLength(1);
  await pay(open[0]?.id ?? "");
  expect((await buyer.open(third.path)).state).toBe("paid");
  expect(await kept(link)).toBe(link.amount);
});

test("a new code goes to the same address as the one before, and so does its receipt", async () => {
  const { link, page } = await aCode({ email: "ana@example.com" });
  expect(page.text).toContain("O código também foi para an•••@example.com");
  await writeBuyerMails();
  await advance("PT2H");
  const next = await buyer.send(await buyer.open(page.path), "renew");
  expect([next.state, next.text]).toEqual(["pix", expect.stringContaining("foi para an•••@example.com")]);
  await writeBuyerMails();
  await pay((await charges(link)).find(({ status }) => status === "pending")?.id ?? "");
  const paid = await buyer.open(next.path);
  expect([paid.state, paid.text]).toEqual(["paid", expect.stringContaining("vai para an•••@example.com")]);
  await writeBuyerMails();
  const mails = await queuedMails(shop.client.clientId);
  expect(mails.map(({ template, recipient }) => [template, recipient])).toEqual(
    ["pix-code", "pix-code", "receipt"].map((template) => [template, "ana@example.com"]),
  );
});

test("one code and ten new ones within the hour; then later, or another method", async () => {
  const link = await openSession(shop, { paymentMethods: [{ ...PIX, expiresIn: 60 }, BOLETO] });
  let shown = await buyer.send(await buyer.open(pathOf(link)), "pix", PERSON);
  for (let renewed = 0; renewed < 10; renewed++) {
    await advance("PT2M");
    shown = await buyer.send(await buyer.open(shown.path), "renew");
    expect(shown.state).toBe("pix");
  }
  await advance("PT2M");
  const refused = await buyer.send(await buyer.open(shown.path), "renew");
  expect([refused.state, refused.text]).toEqual(["open", expect.stringContaining("Muitos códigos Pix neste link.")]);
  expect(await buyer.send(refused, "pix", PERSON)).toMatchObject({ state: "open" });
  expect(await charges(link)).toHaveLength(10);
  await advance("PT1H");
  expect((await buyer.send(await buyer.open(pathOf(link)), "pix", PERSON)).state).toBe("pix");
});

test("the address of the first code leads to what became of it, whoever opens it", async () => {
  const { page } = await aCode();
  await advance("PT2H");
  const other = await newBuyer({ language: "en" });
  expect((await other.open(page.path.split("?")[0] ?? "")).heading).toBe("This Pix code has expired");
});

test("a new code that was asked for in another language is written of in that one, and so is what follows", async () => {
  const { link, page } = await aCode({ email: "ana@example.com" });
  await writeBuyerMails();
  await advance("PT2H");
  const expired = await buyer.open(`${page.path.split("?")[0]}?lang=en`);
  expect((await buyer.send(expired, "renew")).text).toContain("The code was also sent to an•••@example.com");
  await writeBuyerMails();
  await pay((await charges(link)).find(({ status }) => status === "pending")?.id ?? "");
  await writeBuyerMails();
  const mails = await queuedMails(shop.client.clientId);
  expect(mails.map(({ template, locale }) => [template, locale])).toEqual([
    ["pix-code", "pt-BR"],
    ["pix-code", "en"],
    ["receipt", "en"],
  ]);
});

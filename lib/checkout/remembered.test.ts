import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { enterCode, forget, remember, rememberedBy, sendCode, sweepRemembered } from "@/lib/checkout/remembered";
import { newVisit } from "@/lib/checkout/visit";
import { type Context, inTransaction } from "@/lib/context";
import { sandboxPan } from "@/lib/reference/sandbox-pans";
import type { OpenedSession } from "@/lib/sessions/open";
import { openClient } from "@/lib/testing/api";
import { openLink, pressPay, reopen, typedCard } from "@/lib/testing/checkout";
import { type Shop, withMerchant } from "@/lib/testing/payments";
import { BOLETO, PIX } from "@/lib/testing/sessions";

let shop: Shop;
let opened: OpenedSession;
beforeAll(async () => {
  shop = await withMerchant(await openClient());
  await shop.client.make("POST", "/v1/sandbox/clock", { body: { freeze: true } });
});
beforeEach(async () => {
  opened = await openLink(shop, { maxPayments: -1, paymentMethods: [PIX, BOLETO] });
});

const ANA = { name: "Ana Souza", document: "52998224725", email: "ana@example.com" };

const agree = (changes: Record<string, string> = {}, visit = newVisit()) =>
  pressPay(opened, visit, "pix", { ...ANA, again: "1", remember: "1", ...changes });

const known = async (visit: string) =>
  inTransaction((await reopen(opened.session.id)).ctx, (inside) => rememberedBy(inside, visit));

const context = async (): Promise<Context> => (await reopen(opened.session.id)).ctx;

/** Codes that went to an address, newest last. */
const codesTo = async (email: string): Promise<string[]> =>
  (
    await systemSql()<{ code: string }[]>`
      select data ->> 'code' as code from emails
       where client_id = ${opened.ctx.account.id} and template = 'buyer-code' and recipient = ${email} order by id`
  ).map(({ code }) => code);

async function askCode(visit: string, email = ANA.email): Promise<string> {
  await sendCode(await context(), { session: opened.session, visit, email, locale: "pt-BR" });
  return (await codesTo(email)).at(-1) ?? "";
}

async function recognized(email = ANA.email): Promise<string> {
  const visit = newVisit();
  expect(await enterCode(await context(), visit, await askCode(visit, email))).toBe(true);
  return visit;
}

const charges = async (): Promise<number> =>
  (await systemSql()`select from charges where session_id = ${opened.session.id}`).length;

/** Every test has its own buyer: an address is sent three codes an hour. */
let serial = 0;
const somebody = () => ({ email: `ana${++serial}@example.com` });

describe("a buyer who agreed", () => {
  test("is known again by a code, in that browser alone, and is asked nothing of a card", async () => {
    const who = somebody();
    await agree(who);
    const visit = await recognized(who.email);
    expect(await known(visit)).toMatchObject({ name: "Ana Souza", documentNumber: ANA.document, email: who.email });
    expect(await known(newVisit())).toBeUndefined();
  });

  test("is kept with the address of a boleto; without the tick nobody is", async () => {
    const who = somebody();
    const address = { zipCode: "01001-000", street: "Rua A", streetNumber: "10", district: "Sé", city: "São Paulo" };
    await pressPay(opened, newVisit(), "boleto", { ...ANA, ...who, ...address, remember: "1" });
    expect(await known(await recognized(who.email))).toMatchObject({
      address: { zipCode: "01001000", street: "Rua A", city: "São Paulo", state: "SP" },
    });
    const other = somebody();
    await agree({ ...other, remember: "" });
    expect(await askCode(newVisit(), other.email)).toBe("");
  });

  test("pays by what is kept, and replaces what is typed over", async () => {
    const who = somebody();
    await agree(who);
    const visit = await recognized(who.email);
    const masked = { name: "Ana S•••", document: "•••.982.247-••", email: `an•••@example.com` };
    const pay = (fields: Record<string, string>) =>
      pressPay(opened, visit, "pix", { ...masked, again: "1", ...fields });
    expect(await pay({ document: "•••.111.111-••" })).toMatchObject({
      notice: { kind: "fields", fields: [{ field: "document", isHalfMasked: true }] },
    });
    expect((await pay({ name: "Ana Lima" })).kind).toBe("payment");
    const [buyer] = await systemSql()`
      select c.name, c.email, c.document_number from charges t join customers c on c.id = t.source_customer_id
       where t.session_id = ${opened.session.id} order by t.created_at desc, t.id desc limit 1`;
    expect(buyer).toEqual({ name: "Ana Lima", email: who.email, document_number: ANA.document });
  });

  test("is asked for the whole of what was typed into a mask, and nothing is left out in silence", async () => {
    const who = somebody();
    const address = { zipCode: "01001-000", street: "Rua A", streetNumber: "100", complement: "Apto 12 B" };
    const place = { district: "Sé", city: "São Paulo", state: "SP" };
    await pressPay(opened, newVisit(), "boleto", { ...ANA, ...who, ...address, ...place, remember: "1" });
    const visit = await recognized(who.email);
    const masked = { name: "Ana S•••", document: "•••.982.247-••", email: "an•••@example.com", again: "1" };
    const shown = { zipCode: "01•••", street: "Ru•••", streetNumber: "•••", complement: "Ap•••", district: "•••" };
    const refused = async (method: "pix" | "boleto", fields: Record<string, string>) => {
      const outcome = await pressPay(opened, visit, method, { ...masked, ...fields });
      return outcome.kind === "notice" && outcome.notice.kind === "fields" ? outcome.notice.fields : [];
    };
    for (const email of ["an•••@gmail.com", "an•••@example.com.br", "an••@example.com"]) {
      expect(await refused("pix", { email })).toEqual([{ field: "email", isHalfMasked: true }]);
    }
    expect(await refused("pix", { name: "Ana S••• Lima" })).toEqual([{ field: "name", isHalfMasked: true }]);
    const changed = { ...shown, city: "Sã••• Roque", state: "SP", complement: "Ap••• fundos" };
    expect(await refused("boleto", changed)).toEqual([
      { field: "complement", isHalfMasked: true },
      { field: "city", isHalfMasked: true },
    ]);
    expect(await charges()).toBe(1);
  });

  test("cannot be overwritten by somebody who only knows the address", async () => {
    const who = somebody();
    await agree(who);
    await agree({ ...who, name: "Mallory", document: "12345678909" });
    const visit = await recognized(who.email);
    expect(await known(visit)).toMatchObject({ name: "Ana Souza" });
    const change = { name: "Ana Lima", document: { type: "CPF" as const, number: ANA.document }, email: who.email };
    await inTransaction(await context(), (inside) => remember(inside, { visit, person: change, address: undefined }));
    expect(await known(visit)).toMatchObject({ name: "Ana Lima" });
  });

  test("must leave an e-mail to be remembered by", async () => {
    expect(await agree({ email: "" })).toMatchObject({
      notice: { kind: "fields", fields: [{ field: "email", isEmpty: true }] },
    });
  });

  test("is forgotten everywhere at a press, and by themselves after twelve months", async () => {
    const who = somebody();
    await agree(who);
    const [one, other] = [await recognized(who.email), await recognized(who.email)];
    await forget(await context(), one);
    expect([await known(one), await known(other)]).toEqual([undefined, undefined]);
    await askCode(newVisit(), who.email);
    expect(await codesTo(who.email)).toHaveLength(2);
    const late = somebody();
    await agree(late);
    await systemSql()`
      update remembered_buyers set expires_at = expires_at - interval '365 days' where email = ${late.email}`;
    const before = (await codesTo(late.email)).length;
    await askCode(newVisit(), late.email);
    expect(await codesTo(late.email)).toHaveLength(before);
    await sweepRemembered(new Date(Date.now() + 800 * 86_400_000));
    const [{ left } = { left: -1 }] = await systemSql()<{ left: number }[]>`
      select count(*)::int as left from remembered_buyers where client_id = ${opened.ctx.account.id}`;
    expect(left).toBe(0);
  });

  test("is a card's holder as well, without anything of the card", async () => {
    opened = await openLink(shop, { maxPayments: -1 });
    const who = somebody();
    await pressPay(opened, newVisit(), "card", {
      ...typedCard(sandboxPan("approve")),
      document: ANA.document,
      ...who,
      remember: "1",
    });
    const [row] = await systemSql()`select * from remembered_buyers where email = ${who.email}`;
    expect(row).toMatchObject({ name: "ANA SOUZA", document_number: ANA.document });
    expect(JSON.stringify(row)).not.toMatch(/4111|0002/);
  });
});

describe("a code", () => {
  test("is six digits for ten minutes, once, in the browser that asked for it", async () => {
    const who = somebody();
    await agree(who);
    const visit = newVisit();
    const code = await askCode(visit, who.email);
    expect(code).toMatch(/^\d{6}$/);
    expect(await enterCode(await context(), newVisit(), code)).toBe(false);
    await systemSql()`
      update buyer_codes set expires_at = expires_at - interval '10 minutes' where client_id = ${opened.ctx.account.id}`;
    expect(await enterCode(await context(), visit, code)).toBe(false);
    const fresh = await askCode(visit, who.email);
    expect(await enterCode(await context(), visit, ` ${fresh.slice(0, 3)} ${fresh.slice(3)}`)).toBe(true);
  });

  test("may be tried five times", async () => {
    const who = somebody();
    await agree(who);
    const visit = newVisit();
    const code = await askCode(visit, who.email);
    const wrong = code === "000000" ? "000001" : "000000";
    for (let tries = 0; tries < 5; tries++) expect(await enterCode(await context(), visit, wrong)).toBe(false);
    expect(await enterCode(await context(), visit, code)).toBe(false);
  });

  test("is sent three times an hour at most, and to nobody who is not remembered", async () => {
    const who = somebody();
    await agree(who);
    for (let asked = 0; asked < 5; asked++) await askCode(newVisit(), who.email);
    expect(await codesTo(who.email)).toHaveLength(3);
    await askCode(newVisit(), "nobody@example.com");
    expect(await codesTo("nobody@example.com")).toEqual([]);
  });

  test("of one account says nothing in another", async () => {
    const who = somebody();
    await agree(who);
    const stranger = await withMerchant(await openClient());
    const elsewhere = await openLink(stranger, { paymentMethods: [PIX] });
    const visit = newVisit();
    await sendCode(elsewhere.ctx, { session: elsewhere.session, visit, email: who.email, locale: "en" });
    expect(await codesTo(who.email)).toEqual([]);
  });
});

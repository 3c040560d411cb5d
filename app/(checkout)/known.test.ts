import { beforeAll, expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { openClient } from "@/lib/testing/api";
import { PERSON, pathOf, valuesOf } from "@/lib/testing/buyer";
import { newBuyer } from "@/lib/testing/checkout-routes";
import { newCustomer, type Shop, withMerchant } from "@/lib/testing/payments";
import { BOLETO, CREDIT, openSession, PIX } from "@/lib/testing/sessions";

let shop: Shop;
beforeAll(async () => {
  shop = await withMerchant(await openClient());
});

const customer = {
  name: "Beatriz Nogueira",
  email: "beatriz@example.com",
  document: { type: "cpf", number: "52998224725" },
  address: {
    street: "Rua das Flores",
    streetNumber: "123",
    zipCode: "30130010",
    district: "Centro",
    city: "Belo Horizonte",
    state: "MG",
    country: "BR",
  },
};

test("a link for a customer has the details in its fields, masked, and pays by the true ones", async () => {
  const { id: customerId } = await shop.client.make<{ id: string }>("POST", "/v1/customers?force=true", {
    body: newCustomer(customer),
  });
  const link = await openSession(shop, { customerId, paymentMethods: [PIX, BOLETO, CREDIT] });
  const buyer = await newBuyer();
  const page = await buyer.open(pathOf(link));
  expect(valuesOf(page, "pix")).toMatchObject({
    name: "Beatriz N•••",
    document: "•••.982.247-••",
    email: "be•••@example.com",
  });
  expect(valuesOf(page, "boleto")).toMatchObject({
    zipCode: "30•••",
    street: "Ru•••",
    streetNumber: "•••",
    state: "MG",
  });
  expect(valuesOf(page, "card")).toMatchObject({ document: "•••.982.247-••", cardHolderName: "" });
  for (const secret of ["Nogueira", "52998224725", "beatriz@", "Flores", "30130"])
    expect(page.html).not.toContain(secret);
  expect(page.html).not.toContain('name="remember"');
  expect((await buyer.send(page, "pix")).state).toBe("pix");
  const [paid] = await systemSql()`
    select c.name, c.email, c.document_number from charges t join customers c on c.id = t.source_customer_id
     where t.session_id = ${link.id}`;
  expect(paid).toEqual({ name: "Beatriz Nogueira", email: "beatriz@example.com", document_number: "52998224725" });
});

test("without scripts: remembered by a tick, known by a code, forgotten by a button", async () => {
  const link = await openSession(shop, { maxPayments: -1, paymentMethods: [PIX] });
  const email = "carla@example.com";
  const first = await newBuyer();
  await first.send(await first.open(pathOf(link)), "pix", { ...PERSON, email, remember: "1" });
  const buyer = await newBuyer();
  const asked = await buyer.send(await buyer.open(pathOf(link)), "remembered", { email });
  expect(asked.text).toContain(`Se há dados guardados para ${email}`);
  const nobody = await buyer.send(await buyer.open(pathOf(link)), "remembered", { email: "x@example.com" });
  expect(nobody.text).toContain("Se há dados guardados para x@example.com");
  const wrong = await buyer.send(asked, "remembered", { code: "12" });
  expect(wrong.text).toContain("O código não confere ou venceu.");
  const [{ code } = { code: "" }] = await systemSql()<{ code: string }[]>`
    select data ->> 'code' as code from emails where recipient = ${email} and template = 'buyer-code'`;
  const known = await buyer.send(wrong, "remembered", { code });
  expect(valuesOf(known, "pix")).toMatchObject({ name: "Ana S•••", email: "ca•••@example.com" });
  expect(known.html).not.toContain("12345678909");
  expect((await (await newBuyer()).open(pathOf(link))).html).not.toContain("Ana S");
  const forgotten = await buyer.send(known, "remembered");
  expect(forgotten.text).toContain("Seus dados foram apagados.");
  expect(valuesOf(await buyer.open(pathOf(link)), "pix")).toMatchObject({ name: "", document: "" });
});

test("a code that waits is typed on the way back from the e-mail, by whoever asked, saved or not", async () => {
  const link = await openSession(shop, { maxPayments: -1, paymentMethods: [PIX] });
  const email = "flora@example.com";
  const first = await newBuyer();
  await first.send(await first.open(pathOf(link)), "pix", { ...PERSON, email, remember: "1" });
  const [buyer, stranger] = [await newBuyer(), await newBuyer()];
  await buyer.send(await buyer.open(pathOf(link)), "remembered", { email });
  await stranger.send(await stranger.open(pathOf(link)), "remembered", { email: "nobody@example.com" });
  const back = await buyer.open(pathOf(link));
  expect(back.text).toContain(`Se há dados guardados para ${email}`);
  expect(back.html).toContain('name="code"');
  expect((await buyer.open(`${pathOf(link)}/remembered`)).html).toContain('name="code"');
  expect((await stranger.open(pathOf(link))).text).toContain("Se há dados guardados para nobody@example.com");
  expect((await (await newBuyer()).open(pathOf(link))).html).not.toContain('name="code"');
  const other = await openSession(shop, { maxPayments: -1, paymentMethods: [PIX] });
  expect((await buyer.open(pathOf(other))).text).not.toContain(email);
  const [{ code } = { code: "" }] = await systemSql()<{ code: string }[]>`
    select data ->> 'code' as code from emails where recipient = ${email} and template = 'buyer-code'`;
  const known = await buyer.send(back, "remembered", { code });
  expect(valuesOf(known, "pix")).toMatchObject({ email: "fl•••@example.com" });
  await buyer.send(known, "remembered");
  expect((await buyer.open(pathOf(link))).html).not.toContain('name="code"');
}, 60_000);

test("forgotten while a code waits: it is said, and the choice of methods stays", async () => {
  const link = await openSession(shop, { paymentMethods: [PIX, BOLETO] });
  const email = "eva@example.com";
  const buyer = await newBuyer();
  await buyer.send(await buyer.open(pathOf(link)), "pix", { ...PERSON, email, remember: "1" });
  const asked = await buyer.send(await buyer.open(pathOf(link, "?other=1")), "remembered", { email });
  expect([asked.state, asked.text]).toEqual(["open", expect.stringContaining(`Se há dados guardados para ${email}`)]);
  const [{ code } = { code: "" }] = await systemSql()<{ code: string }[]>`
    select data ->> 'code' as code from emails where recipient = ${email} and template = 'buyer-code'`;
  const known = await buyer.send(asked, "remembered", { code });
  expect([known.state, known.text]).toEqual(["open", expect.stringContaining("Esquecer meus dados")]);
  const forgotten = await buyer.send(known, "remembered");
  expect([forgotten.state, forgotten.text]).toEqual(["open", expect.stringContaining("Seus dados foram apagados.")]);

  const tab = await newBuyer();
  await tab.send(await tab.open(pathOf(link, "?other=1")), "pix", { ...PERSON, email, remember: "1" });
  const page = await tab.open(pathOf(link, "?other=1"));
  // Paused by the shop while the page stood open: no method is left to choose.
  await shop.client.make("PATCH", `/v1/sessions/${link.id}`, { body: { isActive: false } });
  const closed = await tab.send(page, "remembered", { step: "forget" });
  expect([closed.state, closed.text]).toEqual(["in_use", expect.stringContaining("Seus dados foram apagados.")]);
}, 60_000);

test("at the code, the page in another language is at the code still, with what was typed", async () => {
  const link = await openSession(shop, { paymentMethods: [PIX] });
  const buyer = await newBuyer();
  const email = "dora@example.com";
  const asked = await buyer.send(await buyer.open(pathOf(link)), "remembered", { email });
  const again = await buyer.send(asked, "remembered", { step: "again" });
  expect(again.text).toContain("enviamos outro código: só o mais novo vale. Espere até 2 minutos");
  const switched = await buyer.send(asked, "remembered", { to: "en", code: "123" });
  expect(switched.html).toContain('<html lang="en"');
  expect(switched.text).toContain(`If details are saved for ${email}, the code arrives`);
  expect(switched.text).not.toContain("does not match");
  expect(valuesOf(switched, "remembered")).toMatchObject({ step: "code", email, code: "123", lang: "en" });
  expect(switched.html).toMatch(/<button lang="pt-BR"[^>]* form="known-form"[^>]* name="to"/);
  expect(asked.html).toMatch(/<form id="known-form"/);
  expect((await buyer.open(pathOf(link))).html).toContain('<html lang="en"');
});

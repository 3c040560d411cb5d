import { randomUUID } from "node:crypto";
import { type BrowserContext, expect, type FrameLocator, type Page, test } from "@playwright/test";
import { anAccount, aPerson } from "@/e2e/accounts";
import { type Bank, openBank } from "@/e2e/bank";
import { COLORS, typesHeard, visitShop } from "@/e2e/shop-page";
import { type AdyenMock, startAdyen } from "@/lib/testing/providers/adyen/mock";
import { ACS, cresOf, FRICTIONLESS, keptOf, signedText } from "@/lib/testing/providers/adyen/objects";
import type { Entry } from "@/lib/testing/providers/kit/books";

/**
 * Adyen's native 3-D Secure as a buyer's browser lives it: the bank's hidden page looks at the browser, its challenge
 * asks the buyer, both from our own pages. Adyen is its stand-in of the contract tests, on the port that the
 * installation takes for Adyen's test host; the bank is a site of its own that only this browser reaches.
 */

// One stand-in, on one port.
test.describe.configure({ mode: "default" });
test.use({ permissions: ["local-network-access"], locale: "pt-BR" });

const SHOP = "https://loja-embutida.example";
const VISA = "4111111111111111";
/** Names that the stand-in knows: this card is approved. */
const APPROVED = "approve";
const LOOKING = "Seu banco está conferindo a compra.";
/** What a browser says of a form of our own page. */
const OURS = { "sec-fetch-site": "same-origin" };
const PATIENCE = { timeout: 30_000 };

let adyen: AdyenMock;
test.beforeAll(async () => {
  adyen = await startAdyen({ port: Number(process.env.E2E_ADYEN_PORT) });
});
test.afterAll(() => adyen.close());

interface Shop {
  readonly session: string;
  readonly bank: Bank;
  call<T = { id: string }>(
    method: "GET" | "POST",
    path: string,
    data?: object,
    headers?: Record<string, string>,
  ): Promise<T>;
  /** What Adyen tells of the account's payments reaches the installation. */
  tell(): Promise<void>;
  /** What Adyen was asked to do with a step's result, in order. */
  details(): readonly Record<string, unknown>[];
  authorizations(): number;
  /** Where the answer to the newest payment's challenge goes. */
  wayBack(): string;
}

const wayBackOf = (entry: Entry | undefined): string => (entry && keptOf(entry).native?.notificationURL) ?? "";

/** A shop that has Adyen alone, and a link of it. */
async function openShop({
  context,
  isEmbedded = false,
}: {
  context: BrowserContext;
  isEmbedded?: boolean;
}): Promise<Shop> {
  const { clientId, apiKey } = await anAccount(aPerson("Dona da Loja"));
  const name = randomUUID().replaceAll("-", "");
  const hmac = Buffer.from(name).toString("hex").toUpperCase();
  const call: Shop["call"] = async (method, path, data, more = {}) => {
    const headers = { "x-client-id": clientId, "x-api-key": apiKey, "x-idempotency-key": randomUUID(), ...more };
    const answer = await context.request.fetch(path, { method, headers, ...(data ? { data } : {}) });
    expect(answer.ok(), `${method} ${path}: ${await answer.text()}`).toBe(true);
    return answer.json();
  };
  const credentials = {
    type: "ADYEN",
    environment: "test",
    apiKey: `key_of_${name}`,
    merchantAccount: name,
    webhookHmacKey: hmac,
  };
  const merchant = await call<{ id: string; providers: { id: string }[] }>("POST", "/v1/merchants", {
    mcc: "5411",
    name: "Loja Embutida",
    merchantName: "Loja Embutida",
    providers: [{ name: "Adyen", priority: 1, credentials }],
  });
  if (isEmbedded)
    await call("POST", "/v1/settings", { ...COLORS, companyUrl: `${SHOP}/inicio` }, { "x-merchant-id": merchant.id });
  const { id: session } = await call("POST", "/v1/sessions", {
    merchantId: merchant.id,
    name: "Pedido 1001",
    createLink: true,
    paymentMethods: [{ paymentType: "credit", installments: 3, threeDS: { enabled: true } }],
    items: [{ name: "Tênis", unitPrice: 10_500, quantity: 1 }],
  });
  const own = () => adyen.books.entries.filter(({ account }) => account === name);
  const bank = await openBank(context, ({ threeDSServerTransID }) => {
    return wayBackOf(own().find(({ id }) => threeDSServerTransID === `server-${id}`));
  });
  let told = 0;
  return {
    session,
    bank,
    call,
    async tell() {
      const news = adyen.news.filter(({ account }) => account === name);
      for (; told < news.length; told++) {
        const data = signedText(JSON.stringify(news[told]?.body), hmac);
        const headers = { "content-type": "application/json" };
        const path = `/v1/providers/${merchant.providers[0]?.id}/notifications`;
        const answer = await context.request.post(path, { headers, data });
        expect(answer.ok(), await answer.text()).toBe(true);
      }
    },
    details: () => {
      const charges = new Set(own().map(({ charge }) => charge));
      return adyen.requests
        .filter((one) => one.step === "continue" && charges.has(one.charge))
        .map(({ request }) => request);
    },
    wayBack: () => wayBackOf(own().at(-1)),
    authorizations: () => own().reduce((sum, { reference }) => sum + adyen.books.authorizations(reference), 0),
  };
}

/** A step's result as Adyen is told of it. */
const said = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64");

type Where = Page | FrameLocator;

async function payAs(where: Where, holder: string): Promise<void> {
  const card = where.locator('form[action$="/card"]');
  await card.locator('[name="cardNumber"]').fill(VISA);
  await card.locator('[name="cardHolderName"]').fill(holder);
  await card.locator('[name="cardExpiration"]').fill("12/31");
  await card.locator('[name="cardCvv"]').fill("120");
  await card.locator('[name="document"]').fill("52998224725");
  await card.locator('button[type="submit"]').click();
}

const heading = (where: Where) => where.getByRole("heading", { level: 1 });
async function isPaid(shop: Shop, where: Where): Promise<void> {
  await expect(async () => {
    await shop.tell();
    await expect(heading(where)).toContainText("Pagamento aprovado", { timeout: 500 });
  }).toPass(PATIENCE);
  expect(shop.authorizations()).toBe(1);
  expect(adyen.breaches).toEqual([]);
}

/** The bank has looked at the browser, and asks the buyer: the way there from our page. */
const toBank = (where: Where) => where.getByRole("button", { name: "Ir para o meu banco" });
const anotherCard = (where: Where) => where.getByRole("link", { name: "Usar outro cartão" });
const isRefused = async (where: Where): Promise<void> => {
  await expect(heading(where)).toContainText("Pagamento não aprovado", PATIENCE);
  await expect(where.getByText("A confirmação no banco não foi concluída.")).toBeVisible();
};
const atBank = (page: Page) => page.getByRole("heading", { name: "Seu banco" });

test("a bank that asks is answered on its own page, and the answer counts once", async ({ page, context }) => {
  const shop = await openShop({ context });
  await page.goto(`/pay/${shop.session}`);
  await payAs(page, APPROVED);
  await toBank(page).click(PATIENCE);
  await expect(atBank(page)).toBeVisible();
  const answer = page.waitForRequest(/\/3ds\/return/);
  await page.getByRole("button", { name: "Confirmar" }).click();
  const sent = await answer;
  await isPaid(shop, page);
  expect(shop.bank.heard.map(({ page: of }) => of)).toEqual(["device", "challenge"]);
  expect(shop.bank.heard[1]?.asked).toMatchObject({ messageType: "CReq", challengeWindowSize: "05" });
  const details = shop.details();
  expect(details).toHaveLength(2);
  // Sent once more, and turned into its opposite: the way back was used.
  const form = new URLSearchParams(sent.postData() ?? "");
  const opposite = cresOf(form.get("cres") ?? "", "N");
  for (const cres of [form.get("cres") ?? "", opposite]) {
    const again = await context.request.post(sent.url(), { form: { cres }, maxRedirects: 0 });
    expect(again.status()).toBe(410);
  }
  await page.reload();
  await isPaid(shop, page);
  expect(shop.details()).toEqual(details);
});

test("a bank that is refused declines; one that knows the browser lets the next card through unseen", async ({
  page,
  context,
}) => {
  const shop = await openShop({ context });
  await page.goto(`/pay/${shop.session}`);
  await payAs(page, APPROVED);
  await toBank(page).click(PATIENCE);
  await page.getByRole("button", { name: "Recusar" }).click();
  await isRefused(page);
  expect(shop.authorizations()).toBe(0);
  await anotherCard(page).click();
  await payAs(page, FRICTIONLESS);
  await isPaid(shop, page);
  expect(shop.bank.heard.map(({ page: of }) => of)).toEqual(["device", "challenge", "device"]);
  expect(shop.details()[2]).toMatchObject({ details: { "threeds2.fingerprint": said({ threeDSCompInd: "Y" }) } });
});

test("whoever closes the browser at either step finds the payment again, and goes on", async ({ page, context }) => {
  const shop = await openShop({ context });
  shop.bank.looks = "never";
  const link = `/pay/${shop.session}`;
  await page.goto(link);
  await payAs(page, APPROVED);
  await expect(page.getByText(LOOKING)).toBeVisible(PATIENCE);
  await expect.poll(() => shop.bank.heard.length).toBe(1);
  const second = await context.newPage();
  await page.close();
  shop.bank.looks = "back";
  await second.goto(link);
  await toBank(second).click(PATIENCE);
  await expect(atBank(second)).toBeVisible();
  const third = await context.newPage();
  await second.close();
  await third.goto(link);
  await toBank(third).click(PATIENCE);
  await third.getByRole("button", { name: "Confirmar" }).click();
  await isPaid(shop, third);
  expect(shop.bank.heard.map(({ page: of }) => of)).toEqual(["device", "device", "challenge", "challenge"]);
  expect(shop.details()).toHaveLength(2);
});

test("a bank whose page never ends is not waited for: the buyer goes on", async ({ page, context }) => {
  const shop = await openShop({ context });
  shop.bank.looks = "never";
  await page.clock.install();
  await page.goto(`/pay/${shop.session}`);
  await payAs(page, FRICTIONLESS);
  await expect(page.getByText(LOOKING)).toBeVisible(PATIENCE);
  await expect.poll(() => shop.bank.heard.length).toBe(1);
  await page.clock.fastForward("00:10");
  await isPaid(shop, page);
  expect(shop.details()).toMatchObject([{ details: { "threeds2.fingerprint": said({ threeDSCompInd: "N" }) } }]);
});

test.describe("inside the shop's page", () => {
  test("the bank looks at the browser unseen, and asks in the whole window", async ({ page, context, baseURL }) => {
    const shop = await openShop({ context, isEmbedded: true });
    const checkout = await visitShop(page, SHOP, shop.session, baseURL ?? "");
    await expect.poll(() => typesHeard(page)).toContain("ready");
    await payAs(checkout, APPROVED);
    await toBank(checkout).click(PATIENCE);
    await expect(atBank(page)).toBeVisible();
    await page.getByRole("button", { name: "Confirmar" }).click();
    await expect(page.getByRole("heading", { name: "Minha loja" })).toBeVisible();
    await isPaid(shop, checkout);
    await expect.poll(() => typesHeard(page)).toContain("success");
    expect(shop.details()[0]).toMatchObject({ details: { "threeds2.fingerprint": said({ threeDSCompInd: "Y" }) } });
  });

  test("a bank that knows the browser is never seen; one that is refused is a failure", async ({
    page,
    context,
    baseURL,
  }) => {
    const shop = await openShop({ context, isEmbedded: true });
    const checkout = await visitShop(page, SHOP, shop.session, baseURL ?? "");
    await payAs(checkout, APPROVED);
    await toBank(checkout).click(PATIENCE);
    await page.getByRole("button", { name: "Recusar" }).click();
    await expect(page.getByRole("heading", { name: "Minha loja" })).toBeVisible();
    await expect.poll(() => typesHeard(page), PATIENCE).toContain("failure");
    await isRefused(checkout);
    expect(shop.authorizations()).toBe(0);
    await anotherCard(checkout).click();
    await payAs(checkout, FRICTIONLESS);
    await isPaid(shop, checkout);
  });
});

test("forged, foreign, repeated and late results of the device step change nothing", async ({ context }) => {
  const post = (path: string, form: Record<string, string> = { seen: "Y" }, headers: Record<string, string> = OURS) =>
    context.request.post(path, { form, headers, maxRedirects: 0 });
  /** On a page of its own, which goes on by itself: whoever looks at the payment later does so on another one. */
  const atDevice = async (shop: Shop): Promise<string> => {
    const page = await context.newPage();
    shop.bank.looks = "never";
    await page.goto(`/pay/${shop.session}`);
    await payAs(page, APPROVED);
    await expect(page.getByText(LOOKING)).toBeVisible(PATIENCE);
    await expect.poll(() => shop.bank.heard.length).toBe(1);
    return new URL(page.url()).pathname;
  };
  const openAnew = async (path: string): Promise<Page> => {
    const page = await context.newPage();
    await page.goto(path);
    return page;
  };
  const late = await openShop({ context });
  const latePath = await atDevice(late);
  await late.call("POST", "/v1/sandbox/clock", { advance: "PT16M" });
  await post(`${latePath}/device`);
  expect([late.details(), late.authorizations()]).toEqual([[], 0]);
  await isRefused(await openAnew(latePath));

  const shop = await openShop({ context });
  const path = await atDevice(shop);
  const token = path.split("/").at(-1);
  // Forged: by another site, by the bank's own hidden page, and as the answer of a challenge that nobody was sent to.
  await post(`${path}/device`, { seen: "Y" }, { "sec-fetch-site": "cross-site" });
  await post(`${path}/device`, { seen: "Y" }, { origin: ACS, "sec-fetch-site": "same-origin" });
  await post(
    `/pay/${shop.session}/device`,
    { threeDSMethodData: said({ threeDSServerTransID: "x" }) },
    { origin: ACS },
  );
  const wayBack = shop.wayBack();
  expect(wayBack).toContain("/3ds/return?ticket=");
  expect((await post(wayBack, { cres: said({ transStatus: "Y" }) })).status()).toBe(410);
  // Foreign: of one link's payment under another link, and of nobody's.
  expect((await post(`/pay/${late.session}/p/${token}/device`)).status()).toBe(404);
  expect((await post(`/pay/${shop.session}/p/${latePath.split("/").at(-1)}/device`)).status()).toBe(404);
  expect((await post(`/pay/${shop.session}/p/${"A".repeat(22)}/device`)).status()).toBe(404);
  expect(shop.details()).toEqual([]);
  // Repeated: at once, while the bank asks, and after it is paid.
  await Promise.all(["Y", "N", "Y", "N"].map((seen) => post(`${path}/device`, { seen })));
  await post(`${path}/device`, { seen: "N" });
  expect(shop.details()).toHaveLength(1);
  const page = await openAnew(path);
  await toBank(page).click(PATIENCE);
  await post(`${path}/device`);
  expect(shop.details()).toHaveLength(1);
  await page.getByRole("button", { name: "Confirmar" }).click();
  await isPaid(shop, page);
  await post(`${path}/device`);
  expect(shop.details()).toHaveLength(2);
  await isPaid(shop, page);
});

import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { type BrowserContextOptions, expect, type Page, test } from "@playwright/test";
import { expectAccessible, expectNoSidewaysScroll, expectReadable } from "@/e2e/axe";

const demo: { clientId: string; apiKey: string; merchantId: string } = JSON.parse(
  readFileSync(process.env.E2E_DEMO_FILE ?? ".data/demo.json", "utf8"),
);

const PHONE = { width: 375, height: 780 };
const DESKTOP = { width: 1280, height: 860 };
/** Sandbox numbers by what they do (spec/contract.md 21.2). */
const VISA = "4111220000000002";
const MASTERCARD = "5200000000000007";
const numberFor = (outcome: string): string => {
  const body = `411122${outcome}000000`;
  const sum = [...body].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return `${body}${(10 - (sum % 10)) % 10}`;
};

const METHODS = [
  { paymentType: "pix", expiresIn: 3_600 },
  { paymentType: "credit", installments: 12 },
  { paymentType: "boleto", expiresDate: "2030-12-02" },
];

async function session(page: Page, more: object = {}): Promise<{ id: string; paymentLink: string }> {
  const response = await page.request.post("/v1/sessions", {
    headers: { "x-client-id": demo.clientId, "x-api-key": demo.apiKey },
    data: {
      merchantId: demo.merchantId,
      createLink: true,
      paymentMethods: METHODS,
      items: [{ name: "Tênis de corrida", unitPrice: 10_001, quantity: 1 }],
      ...more,
    },
  });
  expect(response.status(), await response.text()).toBe(200);
  return response.json();
}

async function api(page: Page, path: string, data: object = {}): Promise<void> {
  const response = await page.request.post(path, {
    headers: { "x-client-id": demo.clientId, "x-api-key": demo.apiKey },
    data,
  });
  expect(response.status(), await response.text()).toBeLessThan(300);
}

/** Everything a browser complains of, a broken policy included. */
function watch(page: Page): string[] {
  const seen: string[] = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) seen.push(message.text());
  });
  page.on("pageerror", (error) => seen.push(error.message));
  const own = new URL(test.info().project.use.baseURL ?? "http://localhost").origin;
  page.on("request", (request) => {
    if (!request.url().startsWith(`${own}/`)) seen.push(`left: ${request.url()}`);
  });
  return seen;
}

const form = (page: Page, name: string) => page.locator(`form[data-form=${name}]`);

async function fillPerson(page: Page, name: string): Promise<void> {
  const within = form(page, name);
  if (name !== "card" && name !== "cards") await within.locator("[name=name]").fill("Ana Souza");
  await within.locator("[name=document]").fill("123.456.789-09");
}

async function fillCard(page: Page, name: string, number: string, suffix = ""): Promise<void> {
  const within = form(page, name);
  await within.locator(`[name=cardNumber${suffix}]`).fill(number);
  await within.locator(`[name=cardHolderName${suffix}]`).fill("ANA SOUZA");
  await within.locator(`[name=cardExpiration${suffix}]`).fill("12/39");
  await within.locator(`[name=cardCvv${suffix}]`).fill("123");
}

const send = (page: Page, name: string) => form(page, name).locator("button[type=submit]").click();
const approved = (page: Page) =>
  expect(page.getByRole("heading", { name: /Pagamento aprovado|Payment approved/ })).toBeVisible({ timeout: 30_000 });

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? "with scripts" : "without scripts", () => {
    test.use({ javaScriptEnabled, viewport: PHONE, locale: "pt-BR", reducedMotion: "reduce" } as BrowserContextOptions);

    test("Pix: from the link to the receipt", async ({ page }) => {
      const seen = watch(page);
      const { paymentLink } = await session(page);
      await page.goto(paymentLink);
      await fillPerson(page, "pix");
      await send(page, "pix");
      await page.waitForURL(/\/p\//, { waitUntil: "commit" });
      await expect(page.getByRole("img", { name: /QR code/ })).toBeVisible();
      await expect(page.locator("#code")).toHaveValue(/^000201.*br\.gov\.bcb\.pix.*6304[0-9A-F]{4}$/);
      await page.getByRole("button", { name: "Simular pagamento" }).click();
      await approved(page);
      await page.goto(paymentLink);
      await expect(page.getByRole("heading", { name: "Este link já foi pago" })).toBeVisible();
      await page.getByRole("link", { name: "Ver comprovante" }).click();
      await approved(page);
      expect(seen).toEqual([]);
    });

    test("boleto: the slip, its PDF and the receipt", async ({ page }) => {
      const { paymentLink } = await session(page);
      await page.goto(`${paymentLink}?method=boleto`);
      await fillPerson(page, "boleto");
      const fields = {
        zipCode: "01310-100",
        street: "Av. Paulista",
        streetNumber: "1000",
        district: "Bela Vista",
        city: "São Paulo",
      };
      for (const [name, value] of Object.entries(fields))
        await form(page, "boleto").locator(`[name=${name}]`).fill(value);
      await form(page, "boleto").locator("[name=state]").selectOption("SP");
      await send(page, "boleto");
      await expect(page.getByRole("heading", { name: "Seu boleto está pronto" })).toBeVisible();
      await expect(page.getByRole("img", { name: /Código de barras/ })).toBeVisible();
      const own = page.url().split(/[?#]/)[0];
      const slip = await page.request.get(`${own}/boleto.pdf`);
      expect([slip.status(), (await slip.body()).subarray(0, 4).toString()]).toEqual([200, "%PDF"]);
      await page.getByRole("button", { name: "Simular pagamento" }).click();
      await approved(page);
      const receipt = await page.request.get(`${own}/receipt.pdf`);
      expect([receipt.status(), (await receipt.body()).subarray(0, 4).toString()]).toEqual([200, "%PDF"]);
    });

    test("card: three parts to the cent; a decline first, with everything kept that may be", async ({ page }) => {
      const seen = watch(page);
      const { paymentLink } = await session(page);
      await page.goto(`${paymentLink}?method=card`);
      await fillCard(page, "card", numberFor("106"));
      await fillPerson(page, "card");
      await expect(form(page, "card").locator("[name=installments] option").nth(2)).toHaveText(/3x, 1ª de R\$\s33,35/);
      await form(page, "card").locator("[name=installments]").selectOption("3");
      await send(page, "card");
      const refusal = page.getByRole("alert").filter({ hasText: "O limite do cartão não cobre este valor." });
      await expect(refusal).toContainText("Nada foi cobrado.");
      // Without a script a card could not be paid now: what can be is offered.
      const first = javaScriptEnabled ? "Dividir em 2 cartões" : "Pagar com Pix";
      await expect(refusal.locator(".stack > *").first()).toHaveText(first);
      await expect(form(page, "card").locator("[name=cardHolderName]")).toHaveValue("ANA SOUZA");
      await expect(form(page, "card").locator("[name=installments]")).toHaveValue("3");
      await expect(form(page, "card").locator("[name=cardNumber]")).toHaveValue(javaScriptEnabled ? /4111 2210/ : "");
      if (!javaScriptEnabled) {
        // A decline asks for a captcha next, and proofs of work need a script (design/checkout.md section 10).
        return;
      }
      await fillCard(page, "card", VISA);
      await send(page, "card");
      await approved(page);
      await expect(page.getByText("Visa final 0002")).toBeVisible();
      expect(seen).toEqual([]);
    });

    test("two cards: each with its line on the receipt", async ({ page }) => {
      const { paymentLink } = await session(page);
      await page.goto(`${paymentLink}?method=cards`);
      await fillCard(page, "cards", VISA, "0");
      await fillCard(page, "cards", MASTERCARD, "1");
      await fillPerson(page, "cards");
      await send(page, "cards");
      await approved(page);
      await expect(page.getByText("Visa final 0002")).toBeVisible();
      await expect(page.getByText("Mastercard final 0007")).toBeVisible();
    });
  });
}

test.describe("paid once", () => {
  test.use({ viewport: PHONE, locale: "pt-BR" });

  test("two clicks, two tabs and the way back lead to one payment", async ({ page, context }) => {
    const { id, paymentLink } = await session(page, { maxPayments: -1 });
    await page.goto(`${paymentLink}?method=card`);
    const other = await context.newPage();
    await other.goto(`${paymentLink}?method=card`);
    for (const tab of [page, other]) {
      await fillCard(tab, "card", VISA);
      await fillPerson(tab, "card");
    }
    await form(page, "card").locator("button[type=submit]").dblclick();
    await approved(page);
    await send(other, "card");
    await approved(other);
    await expect.poll(() => other.url().split("?")[0]).toBe(page.url().split("?")[0]);
    const list = await page.request.get(`/v1/charges?sessionId=${id}`, {
      headers: { "x-client-id": demo.clientId, "x-api-key": demo.apiKey },
    });
    expect((await list.json()).meta.totalItems).toBe(1);
  });

  test("a network that is cut loses nothing that was typed", async ({ page, context }) => {
    const { paymentLink } = await session(page);
    await page.goto(`${paymentLink}?method=card`);
    await fillCard(page, "card", VISA);
    await fillPerson(page, "card");
    await context.setOffline(true);
    await send(page, "card");
    await expect(page.getByRole("alert").filter({ hasText: "Sem conexão" })).toBeVisible();
    await context.setOffline(false);
    await send(page, "card");
    await approved(page);
  });
});

test("the words of a button stand on one line of a phone", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const { paymentLink } = await session(page, { items: [{ name: "Sofa", unitPrice: 123_456, quantity: 1 }] });
  for (const lang of ["en", "pt-BR"]) {
    for (const method of ["pix", "card", "cards", "boleto"]) {
      await page.goto(`${paymentLink}?method=${method}&lang=${lang}`);
      const lines = await form(page, method)
        .locator("button[type=submit] span:last-of-type")
        .evaluate((words) => {
          const range = document.createRange();
          range.selectNodeContents(words);
          return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
        });
      expect(lines, `${method} ${lang}`).toBe(1);
    }
  }
});

test.describe("several cards with scripts", () => {
  test.use({ viewport: PHONE, locale: "en-US" });

  test("amounts always add up, and only the declined card is asked for again", async ({ page }) => {
    const { paymentLink } = await session(page);
    await page.goto(`${paymentLink}?method=cards`);
    const amounts = form(page, "cards").locator("[data-field=amount]");
    await expect(page.locator("[data-slider]").first()).toBeVisible();
    await amounts.first().fill("70.00");
    await expect(amounts.nth(1)).toHaveValue("30.01");
    await fillCard(page, "cards", VISA, "0");
    await fillCard(page, "cards", numberFor("106"), "1");
    await fillPerson(page, "cards");
    await send(page, "cards");
    const refusal = page.getByRole("alert").filter({ hasText: "Card 2 was declined" });
    await expect(refusal).toContainText("No card was charged.", { timeout: 30_000 });
    await expect(form(page, "cards").locator("[name=cardNumber0]")).toHaveValue("4111 2200 0000 0002");
    await refusal.getByRole("button", { name: "Replace card 2" }).click();
    await expect(form(page, "cards").locator("[name=cardNumber1]")).toBeFocused();
    // What is the old card's own is not left to the new one.
    for (const name of ["cardNumber1", "cardExpiration1", "cardCvv1"])
      await expect(form(page, "cards").locator(`[name=${name}]`)).toHaveValue("");
    await expect(form(page, "cards").locator("[name=cardHolderName1]")).toHaveValue("ANA SOUZA");
    await fillCard(page, "cards", MASTERCARD, "1");
    await send(page, "cards");
    await approved(page);
  });
});

test.describe("what checkout-screens does not reach", () => {
  test.use({
    viewport: PHONE,
    locale: "pt-BR",
    colorScheme: "light",
    reducedMotion: "reduce",
  } as BrowserContextOptions);

  /** Whole on a light phone, then what a dark desk can break. */
  async function expectGood(page: Page, what: string): Promise<void> {
    await expectAccessible(page, what);
    await expectNoSidewaysScroll(page, what);
    await page.emulateMedia({ colorScheme: "dark" });
    await page.setViewportSize(DESKTOP);
    await expectReadable(page, what);
    await page.emulateMedia({ colorScheme: "light" });
    await page.setViewportSize(PHONE);
  }

  test("a form with mistakes and a declined card are accessible, quiet and fit", async ({ page }) => {
    const seen = watch(page);
    const { paymentLink } = await session(page);
    await page.goto(`${paymentLink}?method=boleto`);
    await fillPerson(page, "boleto");
    await send(page, "boleto");
    await expect(page.getByRole("alert").getByRole("link").first()).toBeVisible();
    await expectGood(page, "errors");
    await page.goto(`${paymentLink}?method=card`);
    await fillCard(page, "card", numberFor("108"));
    await fillPerson(page, "card");
    await send(page, "card");
    await expect(form(page, "card").locator("[name=cardCvv]")).toBeFocused({ timeout: 30_000 });
    await expect(form(page, "card").locator("[name=cardCvv]")).toHaveValue("");
    await expectGood(page, "declined");
    expect(seen).toEqual([]);
  });

  test("a canceled link says that a new one was asked for", async ({ page }) => {
    const { id, paymentLink } = await session(page);
    await api(page, `/v1/sessions/${id}/cancel`);
    await page.goto(paymentLink);
    await page.locator("form[action$=new-link] button").click();
    await expect(page.getByRole("status")).toBeVisible();
  });
});

test("320 px and 200 % zoom lose nothing", async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  const { paymentLink } = await session(page);
  for (const method of ["pix", "card", "cards", "boleto"]) {
    await page.goto(`${paymentLink}?method=${method}`);
    await expectNoSidewaysScroll(page, method);
  }
});

test("text alone at 200 % loses nothing on a phone, and breaks no amount", async ({ page }) => {
  await page.setViewportSize({ width: 375, height: 780 });
  const { paymentLink } = await session(page);
  for (const method of ["pix", "card", "cards", "boleto"]) {
    await page.goto(`${paymentLink}?method=${method}`);
    await page.evaluate(() => document.documentElement.style.setProperty("font-size", "200%"));
    await expectNoSidewaysScroll(page, method);
  }
  const lines = await page.locator("h1").evaluate((heading) => {
    const range = document.createRange();
    range.selectNodeContents(heading.lastChild ?? heading);
    return new Set([...range.getClientRects()].map(({ top }) => top)).size;
  });
  expect(lines).toBe(1);
  expect(await page.locator(".skip").evaluate((link) => link.getBoundingClientRect().bottom)).toBeLessThanOrEqual(0);
});

/** Kilobytes of gzip, section 2 of the design: what a first load may weigh. */
const BUDGETS = {
  pixHtml: 14,
  cardHtml: 15,
  core: 6,
  card: 13,
  captcha: 2,
  splitter: 6,
  live: 5,
  pixScripts: 20,
  cardInAll: 50,
};
const KB = 1_024;

test("stays within its bytes and sends no script of anybody else's", async ({ page }) => {
  const { paymentLink } = await session(page);
  const loading = new Map<string, Promise<number>>();
  page.on("response", (response) => {
    const { pathname } = new URL(response.url());
    if (!response.ok() || pathname === "/icon.svg") return;
    loading.set(
      pathname,
      response.body().then((body) => gzipSync(body).length),
    );
  });
  const weigh = async (method: string) => {
    loading.clear();
    await page.goto(`${paymentLink}?method=${method}`, { waitUntil: "networkidle" });
    const loaded = new Map(await Promise.all([...loading].map(async ([path, size]) => [path, await size] as const)));
    const scripts = [...loaded].filter(([path]) => path.endsWith(".js"));
    const sizeOf = (name: string) => scripts.find(([path]) => path.startsWith(`/checkout/${name}.`))?.[1] ?? 0;
    const inAll = [...loaded.values()].reduce((sum, bytes) => sum + bytes, 0);
    return { scripts, sizeOf, html: loaded.get(new URL(paymentLink).pathname) ?? 0, inAll };
  };
  const pix = await weigh("pix");
  expect(pix.scripts.map(([path]) => path).filter((path) => !path.startsWith("/checkout/"))).toEqual([]);
  expect(pix.html).toBeGreaterThan(0);
  expect(pix.html).toBeLessThan(BUDGETS.pixHtml * KB);
  expect(pix.scripts.reduce((sum, [, bytes]) => sum + bytes, 0)).toBeLessThan(BUDGETS.pixScripts * KB);
  const card = await weigh("card");
  expect(card.html).toBeLessThan(BUDGETS.cardHtml * KB);
  expect(card.inAll).toBeLessThan(BUDGETS.cardInAll * KB);
  expect(card.sizeOf("core")).toBeLessThan(BUDGETS.core * KB);
  expect(card.sizeOf("card")).toBeLessThan(BUDGETS.card * KB);
  const inventory: Record<string, { file: string; sha384: string }> = await (
    await page.request.get("/checkout/inventory.json")
  ).json();
  for (const name of ["captcha", "splitter", "live"] as const) {
    const script = await page.request.get(`/checkout/${inventory[name]?.file}`);
    expect(gzipSync(await script.body()).length).toBeLessThan(BUDGETS[name] * KB);
  }
  const known = Object.values(inventory).map(({ file }) => `/checkout/${file}`);
  expect([...pix.scripts, ...card.scripts].map(([path]) => path).filter((path) => !known.includes(path))).toEqual([]);
});

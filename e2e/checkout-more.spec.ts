import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { type BrowserContextOptions, expect, type Page, test } from "@playwright/test";
import { expectAccessible, expectNoSidewaysScroll } from "@/e2e/axe";

const demo: Account = JSON.parse(readFileSync(process.env.E2E_DEMO_FILE ?? ".data/demo.json", "utf8"));

/** Of a payment on a busy machine. */
const PATIENCE_MS = 45_000;
/** Some make an account of their own first. */
test.describe.configure({ timeout: 120_000 });

const PHONE = { width: 375, height: 780 };
/** Sandbox numbers by what they do (spec/contract.md 21.2). */
const VISA = "4111220000000002";
const ASKS_BUYER = "4111224200000002";
const ASKS_AND_FAILS = "4111224210000000";

async function api<T>(
  page: Page,
  path: string,
  data: object,
  of: Pick<Account, "clientId" | "apiKey"> = demo,
): Promise<T> {
  const response = await page.request.post(path, {
    headers: { "x-client-id": of.clientId, "x-api-key": of.apiKey, "x-idempotency-key": randomUUID() },
    data,
  });
  expect(response.ok(), await response.text()).toBe(true);
  return response.json();
}

const openLink = (page: Page, more: object = {}, of: Account = demo): Promise<{ id: string; paymentLink: string }> =>
  api(
    page,
    "/v1/sessions",
    {
      merchantId: of.merchantId,
      createLink: true,
      paymentMethods: [
        { paymentType: "credit", installments: 3 },
        { paymentType: "pix", expiresIn: 3_600 },
      ],
      items: [{ name: "Tênis de corrida", unitPrice: 10_001, quantity: 1 }],
      ...more,
    },
    of,
  );

const form = (page: Page, name: string) => page.locator(`form[data-form=${name}]`);
const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { name, level: 1 });

const approved = (page: Page) =>
  expect(heading(page, /Pagamento aprovado|Payment approved/)).toBeVisible({ timeout: PATIENCE_MS });

async function payByCard(page: Page, number: string): Promise<void> {
  const within = form(page, "card");
  await within.locator("[name=cardNumber]").fill(number);
  await within.locator("[name=cardHolderName]").fill("ANA SOUZA");
  await within.locator("[name=cardExpiration]").fill("12/39");
  await within.locator("[name=cardCvv]").fill("123");
  await within.locator("[name=document]").fill("123.456.789-09");
  await within.locator("button[type=submit]").click();
}

async function expectGood(page: Page, what: string): Promise<void> {
  await expectAccessible(page, what);
  await expectNoSidewaysScroll(page, what);
}

interface Account {
  clientId: string;
  apiKey: string;
  merchantId: string;
}

const ROOT = join(import.meta.dirname, "..");

/** An account of the journey's own, made by the command line beside the running server. */
async function anAccount(page: Page): Promise<Account> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["--import", "tsx", "scripts/client.ts", "create", "--name", `Loja ${randomUUID().slice(0, 8)}`],
    {
      cwd: ROOT,
      env: {
        ...process.env,
        TRILHO_DATA_DIR: dirname(process.env.E2E_DEMO_FILE ?? ".data/demo.json"),
        DATABASE_URL: "",
        BASE_URL: "",
        PORT: process.env.E2E_PORT ?? "3000",
      },
    },
  );
  const { clientId, apiKey }: Account = JSON.parse(stdout);
  const account = { clientId, apiKey, merchantId: "" };
  const { id } = await api<{ id: string }>(
    page,
    "/v1/merchants",
    {
      mcc: "5411",
      name: "Loja",
      merchantName: "Loja",
      providers: [{ name: "Simulator", priority: 1, credentials: { type: "SANDBOX", apiKey: "any text" } }],
    },
    account,
  );
  return { ...account, merchantId: id };
}

/** The simulated bank decides by itself after ten seconds of the account's clock, which stands still here. */
let patient: Account | undefined;
async function patientAccount(page: Page): Promise<Account> {
  if (patient) return patient;
  const account = await anAccount(page);
  await api(page, "/v1/sandbox/clock", { freeze: true }, account);
  patient = account;
  return account;
}

/** A card whose bank asks its buyer, paid and waiting for that. */
async function challenged(page: Page, number: string, more: object = {}): Promise<string> {
  const { paymentLink } = await openLink(page, more, await patientAccount(page));
  await page.goto(paymentLink);
  await payByCard(page, number);
  await expect(heading(page, "Confirme no seu banco")).toBeVisible({ timeout: PATIENCE_MS });
  return paymentLink;
}

async function confirmAtBank(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Ir para o meu banco" }).click();
  await page.getByRole("button", { name: "Continuar" }).click();
}

const LEFT = ["ANA SOUZA", "123.456.789-09"];
const PIX = { paymentType: "pix", expiresIn: 3_600 };
for (const javaScriptEnabled of [true, false]) {
  test.describe(`a bank that asks the buyer, ${javaScriptEnabled ? "with" : "without"} scripts`, () => {
    test.use({ javaScriptEnabled, viewport: PHONE, locale: "pt-BR", reducedMotion: "reduce" } as BrowserContextOptions);

    test("the buyer confirms there and comes back to the receipt", async ({ page }) => {
      const complaints: string[] = [];
      page.on("console", (message) => {
        if (/Content Security Policy|Trusted/.test(message.text())) complaints.push(message.text());
      });
      await challenged(page, ASKS_BUYER, {
        paymentMethods: [{ paymentType: "credit", installments: 3, threeDS: { enabled: true } }],
      });
      await confirmAtBank(page);
      await approved(page);
      expect(complaints).toEqual([]);
      await page.goBack();
      await expect(page.getByText("Esta autenticação já terminou.")).toBeVisible();
    });

    test("who goes another way instead finds the form as it was left, and every method", async ({ page }) => {
      await challenged(page, ASKS_BUYER, { paymentMethods: [{ paymentType: "credit", installments: 3 }, PIX] });
      await page.getByRole("button", { name: "Pagar de outra forma" }).click();
      await expect(page.locator("body")).toHaveAttribute("data-state", "open");
      const typed = (method: string, name: string) => form(page, method).locator(`[name=${name}]`).inputValue();
      expect([await typed("card", "cardHolderName"), await typed("card", "document")]).toEqual(LEFT);
      expect(await typed("card", "cardNumber")).toBe("");
      await page.locator("details[data-method=pix] > summary").click();
      expect([await typed("pix", "name"), await typed("pix", "document")]).toEqual(LEFT);
      await page.locator("details[data-method=card] > summary").click();
      await payByCard(page, VISA);
      await approved(page);
    });

    test("who fails there is told so, and that nothing was charged", async ({ page }) => {
      await challenged(page, ASKS_AND_FAILS);
      await confirmAtBank(page);
      await expect(page.getByText("A confirmação no banco não foi concluída.")).toBeVisible({ timeout: PATIENCE_MS });
      await expect(page.getByText("Nada foi cobrado.")).toBeVisible();
      if (!javaScriptEnabled) return;
      await page.getByRole("link", { name: "Tentar de novo" }).click();
      await payByCard(page, VISA);
      await approved(page);
    });
  });
}

test.describe("on a phone in Portuguese", () => {
  test.use({ viewport: PHONE, locale: "pt-BR", reducedMotion: "reduce" } as BrowserContextOptions);

  test("who left the bank's page finds the payment again on the link, and confirms it then", async ({ page }) => {
    const paymentLink = await challenged(page, ASKS_BUYER);
    await page.goto("about:blank");
    await page.goto(paymentLink);
    await expect(heading(page, "Confirme no seu banco")).toBeVisible();
    await confirmAtBank(page);
    await approved(page);
  });
});

test("only the page of the challenge may send a form to another origin", async ({ page }) => {
  const { paymentLink } = await openLink(page);
  const policyOf = async (url: string) => {
    const policy = (await page.request.get(url)).headers()["content-security-policy"] ?? "";
    return /form-action ([^;]*)/.exec(policy)?.[1];
  };
  expect(await policyOf(paymentLink)).toBe("'self'");
  await page.goto(paymentLink);
  await payByCard(page, VISA);
  await approved(page);
  expect(await policyOf(page.url())).toBe("'self'");
});

const DECLINED = "4111221060000007";

async function keepCard(page: Page): Promise<string> {
  const customer = await api<{ id: string }>(page, "/v1/customers?force=true", {
    name: "Ana Souza",
    email: `ana.${randomUUID()}@example.com`,
    phoneNumber: "+5511999990000",
    document: { type: "cpf", number: "52998224725" },
  });
  const { tokenId } = await api<{ tokenId: string }>(page, "/v1/tokens", {
    cardHolderName: "ANA SOUZA",
    cardNumber: VISA,
    cardCvv: "120",
    cardExpirationDate: "12/2031",
  });
  const card = await api<{ id: string }>(page, "/v1/cards", { tokenId });
  const linked = await page.request.post(`/v1/customers/${customer.id}/cards`, {
    headers: { "x-client-id": demo.clientId, "x-api-key": demo.apiKey },
    data: { cardId: card.id },
  });
  expect(linked.status()).toBe(204);
  return customer.id;
}

for (const javaScriptEnabled of [true, false]) {
  test.describe(`a customer of the shop, ${javaScriptEnabled ? "with" : "without"} scripts`, () => {
    test.use({ javaScriptEnabled, viewport: PHONE, locale: "pt-BR", reducedMotion: "reduce" } as BrowserContextOptions);

    test("pays with a saved card by its security code alone", async ({ page }) => {
      const { paymentLink } = await openLink(page, { customerId: await keepCard(page) });
      await page.goto(`${paymentLink}?method=card`);
      const within = form(page, "card");
      await expect(within.getByRole("radio", { name: "Visa final 0002" })).toBeChecked();
      await expect(within.locator("[name=cardNumber]")).toBeHidden();
      if (javaScriptEnabled) await expectGood(page, "saved cards");
      await within.locator("[name=cardCvv]").fill("120");
      await within.locator("button[type=submit]").click();
      await approved(page);
    });

    test("may choose another card all the same", async ({ page }) => {
      const { paymentLink } = await openLink(page, { customerId: await keepCard(page) });
      await page.goto(`${paymentLink}?method=card`);
      const within = form(page, "card");
      if (javaScriptEnabled) await within.locator("button[type=submit]").click();
      await within.getByRole("radio", { name: "Outro cartão" }).check();
      // What was said of the saved card's code says nothing of the other card's.
      if (javaScriptEnabled) await expect(page.locator("#alert li")).toHaveCount(0);
      await payByCard(page, "5200000000000007");
      await approved(page);
      await expect(page.getByText("Mastercard final 0007")).toBeVisible();
    });
  });
}

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false, viewport: PHONE, locale: "pt-BR" } as BrowserContextOptions);

  test("after a declined card the page says what a card needs, and Pix goes on", async ({ page }) => {
    const { paymentLink } = await openLink(page);
    await page.goto(paymentLink);
    await payByCard(page, DECLINED);
    await expect(page.getByText("O limite do cartão não cobre este valor.")).toBeVisible({ timeout: PATIENCE_MS });
    // What is offered can be done, and its form is open; the card's own says what it needs.
    await expect(page.locator("[role=alert] .stack > *").first()).toHaveText("Pagar com Pix");
    await expect(form(page, "pix").locator("[name=name]")).toBeVisible();
    await page.locator("details[data-method=card] > summary").click();
    await expect(form(page, "card").getByText(/Para pagar com cartão neste link, ative o JavaScript/)).toBeVisible();
    await page.getByRole("link", { name: "Pagar com Pix" }).click();
    await form(page, "pix").locator("[name=name]").fill("Ana Souza");
    await form(page, "pix").locator("[name=document]").fill("123.456.789-09");
    await form(page, "pix").locator("button[type=submit]").click();
    await expect(heading(page, /^Pague com Pix/)).toBeVisible();
  });
});

test.describe("what others see", () => {
  test.use({ viewport: PHONE, locale: "pt-BR", reducedMotion: "reduce" } as BrowserContextOptions);

  test("the receipt of a paid link is found again by who paid, and by nobody else", async ({ page, browser }) => {
    const { paymentLink } = await openLink(page);
    await page.goto(paymentLink);
    await payByCard(page, VISA);
    await approved(page);
    await page.goto(paymentLink);
    await expect(page.getByRole("link", { name: "Ver comprovante" })).toBeVisible();
    const other = await browser.newContext({ locale: "pt-BR" });
    const stranger = await other.newPage();
    await stranger.goto(paymentLink);
    await expect(heading(stranger, "Este link já foi pago")).toBeVisible();
    await expect(stranger.getByRole("link", { name: "Ver comprovante" })).toHaveCount(0);
    await other.close();
  });

  test("a Pix code tells its own buyer where it was sent, masked", async ({ page, browser }) => {
    const { paymentLink } = await openLink(page);
    await page.goto(`${paymentLink}?method=pix`);
    const within = form(page, "pix");
    await within.locator("[name=name]").fill("Ana Souza");
    await within.locator("[name=document]").fill("123.456.789-09");
    await within.locator("[name=email]").fill("ana.souza@example.com");
    await within.locator("button[type=submit]").click();
    await expect(page.getByText("an•••@example.com")).toBeVisible();
    const other = await browser.newContext({ locale: "pt-BR" });
    const stranger = await other.newPage();
    await stranger.goto(page.url());
    await expect(heading(stranger, /^Pague com Pix/)).toBeVisible();
    await expect(stranger.getByText("example.com")).toHaveCount(0);
    await other.close();
  });
});

test.describe("a captcha service", () => {
  /** The installation under test has none set up: its frame and the service's script answer from here. */
  const FRAME = "https://captcha.example";
  const FAKE_SERVICE = `
    window.turnstile = { render: (_place, { callback }) => { window.solve = () => callback("sandbox-ok"); }, reset: () => {} };
    window.trilhoReady();`;

  test.use({ locale: "pt-BR", permissions: ["local-network-access"] } as BrowserContextOptions);

  test("speaks from its own frame, and only a token of that frame is taken", async ({ page, baseURL }) => {
    const { id, paymentLink } = await openLink(page, { captchaEnabled: true });
    const inventory: Record<string, { file: string }> = await (
      await page.request.get("/checkout/inventory.json")
    ).json();
    const script = `/checkout/${inventory["captcha-frame"]?.file}`;
    const data = {
      provider: "turnstile",
      siteKey: "site",
      action: "pay",
      session: id,
      lang: "pt-BR",
      checkout: baseURL,
    };
    await page.route(`${FRAME}/captcha-frame*`, (route) =>
      route.fulfill({
        contentType: "text/html",
        body: `<!doctype html><title>Captcha</title><script type="application/json" id="data">${JSON.stringify(data)}</script>
          <script type="module" src="${script}"></script>
          <script defer src="https://challenges.cloudflare.com/turnstile/v0/api.js"></script><div id="widget"></div>`,
      }),
    );
    await page.route(`${FRAME}${script}`, async (route) =>
      route.fulfill({ response: await page.request.get(script), contentType: "text/javascript" }),
    );
    await page.route("https://challenges.cloudflare.com/**", (route) =>
      route.fulfill({ contentType: "text/javascript", body: FAKE_SERVICE }),
    );
    await page.route(paymentLink, async (route) => {
      const response = await route.fetch();
      const policy = (response.headers()["content-security-policy"] ?? "").replace(
        "frame-src 'none'",
        `frame-src ${FRAME}`,
      );
      await route.fulfill({
        response,
        headers: { ...response.headers(), "content-security-policy": policy },
        body: (await response.text()).replace('"frame":null', `"frame":"${FRAME}/captcha-frame?session=${id}"`),
      });
    });
    await page.goto(paymentLink);
    const field = form(page, "card").locator("[name=captcha]");
    const frame = form(page, "card").locator("iframe");
    await expect(frame).toHaveAttribute("sandbox", "allow-scripts allow-same-origin allow-forms");
    // Neither the page itself nor anything else in it may pass a token off as the frame's.
    await page.evaluate(() => window.postMessage({ source: "trilho-captcha", token: "forged" }, "*"));
    await expect
      .poll(() =>
        page
          .frames()
          .find((each) => each.url().startsWith(FRAME))
          ?.evaluate("typeof solve"),
      )
      .toBe("function");
    await expect(field).toHaveValue("");
    await page
      .frames()
      .find((each) => each.url().startsWith(FRAME))
      ?.evaluate("solve()");
    await expect(field).toHaveValue("sandbox-ok");
    await expectGood(page, "captcha frame");
    await payByCard(page, VISA);
    await approved(page);
  });
});

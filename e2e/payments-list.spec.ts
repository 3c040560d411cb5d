import { randomUUID } from "node:crypto";
import { expect, type Page, test } from "@playwright/test";
import { demo, signIn } from "@/e2e/operator";
import { DECLINED_CODES } from "@/lib/declines/decline-codes";

const VISA = "4111220000000002";

async function make<T>(page: Page, path: string, data: unknown, scenario?: string): Promise<T> {
  const answer = await page.request.post(path, {
    data,
    headers: {
      "x-client-id": demo.clientId,
      "x-api-key": demo.apiKey,
      "x-idempotency-key": randomUUID(),
      ...(scenario ? { "x-sandbox-scenario": scenario } : {}),
    },
  });
  expect(answer.ok(), await answer.text()).toBe(true);
  return answer.json();
}

/** A list of its own: other journeys pay meanwhile. */
async function ownMerchant(page: Page): Promise<string> {
  const { id } = await make<{ id: string }>(page, "/v1/merchants", {
    name: `Loja ${randomUUID().slice(0, 8)}`,
    mcc: "5411",
    providers: [{ name: "SANDBOX", priority: 1, credentials: { type: "SANDBOX" } }],
  });
  return id;
}

test.describe("a list of payments with long e-mails", () => {
  test.use({ viewport: { width: 1440, height: 900 } });

  test("shows each of them whole, and 25 payments in one screen and a half", async ({ page }) => {
    const merchantId = await ownMerchant(page);
    const email = `maria.aparecida.dos.santos.${randomUUID().slice(0, 8)}@empresa-grande.com.br`;
    const customer = {
      name: "Maria Aparecida dos Santos",
      email,
      phoneNumber: "+5511999990000",
      document: { type: "cpf", number: "52998224725" },
    };
    const pix = () =>
      make(page, "/v1/charges", {
        merchantId,
        amount: 4_990,
        orderId: "PED-2026-1001",
        paymentMethod: { paymentType: "pix", expiresIn: 3_600 },
        paymentSource: { sourceType: "customer", customer },
      });
    for (let made = 0; made < 25; made++) await pix();
    await signIn(page, `/dashboard/payments?merchant=${merchantId}`);
    const cells = page.getByRole("table").getByText(email);
    for (const density of ["compact", "comfortable"]) {
      await page.context().addCookies([{ name: "trilho-density", value: density, url: page.url() }]);
      await page.reload();
      await expect(cells).toHaveCount(25);
      const seen = await page.getByRole("table").evaluate((table) => ({
        isCut: [...table.querySelectorAll("td")].some(
          (cell) => cell.textContent?.includes("@") && cell.scrollWidth > cell.clientWidth,
        ),
        isWiderThanItsPlace: table.scrollWidth > (table.parentElement?.clientWidth ?? 0),
        bottom: table.getBoundingClientRect().bottom + scrollY,
      }));
      expect(seen).toMatchObject({ isCut: false, isWiderThanItsPlace: false });
      if (density === "compact") expect(seen.bottom).toBeLessThanOrEqual(1.5 * 900);
    }
  });
});

test.describe("a list of declined payments", () => {
  test.use({ viewport: { width: 1440, height: 900 } });

  test("names each reason and order whole, in rows of the usual height and on paper, and says the sentence on hover", async ({
    page,
  }) => {
    test.slow();
    const merchantId = await ownMerchant(page);
    for (const [nth, code] of DECLINED_CODES.entries()) {
      const charge = {
        merchantId,
        amount: 4_990,
        orderId: `PED-2026-${String(nth).padStart(4, "0")}`,
        paymentMethod: { paymentType: "credit" },
        paymentSource: {
          sourceType: "card",
          card: { cardHolderName: "Ana Souza", cardNumber: VISA, cardExpirationDate: "12/2031", cardCvv: "120" },
        },
      };
      await make(page, "/v1/charges", charge, `outcome=decline:${code}`);
    }
    await signIn(page);
    for (const [locale, name, sentence] of [
      ["pt-BR", "Saldo insuficiente", "Saldo ou limite insuficiente."],
      ["en", "Insufficient funds", "Insufficient funds or limit."],
    ] as const) {
      await page.context().addCookies([{ name: "trilho-locale", value: locale, url: new URL(page.url()).origin }]);
      for (const columns of [
        "",
        "&columns=status&columns=decline&columns=buyer&columns=order&columns=date",
        "&columns=status&columns=method&columns=buyer&columns=order&columns=merchant&columns=provider&columns=date",
      ]) {
        await page.goto(`/dashboard/payments?merchant=${merchantId}${columns}`);
        const reason = page.getByRole("table").getByText(name, { exact: true });
        await expect(reason).toHaveAttribute("title", sentence);
        const seen = await page.getByRole("table").evaluate((table) => ({
          tallest: Math.max(
            ...[...table.querySelectorAll("tbody tr")].map((row) => row.getBoundingClientRect().height),
          ),
          cut: [...table.querySelectorAll("[title]")]
            .filter(
              (each) =>
                getComputedStyle(each).overflowX === "hidden" &&
                (each.scrollWidth > each.clientWidth || each.scrollHeight > each.clientHeight),
            )
            .map((each) => each.textContent),
          isWiderThanItsPlace: table.scrollWidth > (table.parentElement?.clientWidth ?? 0),
        }));
        expect(seen).toEqual({ tallest: expect.any(Number), cut: [], isWiderThanItsPlace: false });
        expect(seen.tallest).toBeLessThanOrEqual(40);
      }
      // A4 across, less its margins.
      await page.setViewportSize({ width: 1_047, height: 718 });
      await page.emulateMedia({ media: "print" });
      const paper = page.getByRole("table");
      await expect(paper.getByText("PED-2026-0007")).toBeVisible();
      expect(await paper.evaluate((table) => table.scrollWidth <= document.documentElement.clientWidth)).toBe(true);
      await expect(paper.getByRole("checkbox").first()).toBeHidden();
      await expect(page.locator("main form:visible")).toHaveCount(0);
      await page.emulateMedia({ media: "screen" });
      await page.setViewportSize({ width: 1_440, height: 900 });
    }
  });
});

const LISTS = [
  "payments",
  "payments?status=failed",
  "links",
  "reports",
  "audit",
  "flows",
  "disputes",
  "developers/keys",
  "developers/requests",
  "sellers",
  "finance/day",
  "payouts",
  "payouts/prepayments",
  "subscriptions",
  "settings",
];

test.describe("payments of several merchants and connections", () => {
  test("keep brand, date and the menu of a row in sight at every width of a table", async ({ page }) => {
    const connection = { name: "SANDBOX", credentials: { type: "SANDBOX" } };
    const { id: merchantId } = await make<{ id: string }>(page, "/v1/merchants", {
      name: `Loja de Eletrônicos da Rua Augusta ${randomUUID().slice(0, 8)}`,
      mcc: "5411",
      providers: [{ ...connection, priority: 1 }],
    });
    await ownMerchant(page);
    for (const [cardNumber, installments] of [
      ["5200000000000007", 12],
      [VISA, 1],
    ] as const)
      await make(page, "/v1/charges", {
        merchantId,
        amount: 1_234_567,
        orderId: "PED-2026-1001",
        paymentMethod: { paymentType: "credit", ...(installments > 1 ? { installments } : {}) },
        paymentSource: {
          sourceType: "card",
          card: { cardHolderName: "Ana Souza", cardNumber, cardExpirationDate: "12/2031", cardCvv: "120" },
        },
      });
    await signIn(page);
    const columns = ["status", "method", "buyer", "order", "merchant", "provider", "date"];
    const usual = `/dashboard/payments?merchant=${merchantId}${columns.map((name) => `&columns=${name}`).join("")}`;
    for (const density of ["compact", "comfortable"]) {
      await page.context().addCookies([{ name: "trilho-density", value: density, url: new URL(page.url()).origin }]);
      await page.goto(usual);
      await expect(page.getByRole("table").getByText("Mastercard", { exact: true })).toBeVisible();
      for (const width of [1_024, 1_280, 1_366, 1_440, 1_536, 1_600, 1_920]) {
        await page.setViewportSize({ width, height: 900 });
        const seen = await page.getByRole("table").evaluate((table) => {
          const box = table.parentElement?.getBoundingClientRect();
          const menus = [...table.querySelectorAll("tbody [data-row-menu]")];
          const brand = [...table.querySelectorAll("[title=Mastercard]")];
          return {
            isWiderThanItsPlace: table.scrollWidth > (table.parentElement?.clientWidth ?? 0),
            menusInSight: menus.filter((menu) => menu.getBoundingClientRect().right <= (box?.right ?? 0)).length,
            cutBrands: brand.filter((each) => each.scrollWidth > each.clientWidth).length,
          };
        });
        expect(seen, `${density} at ${width}`).toEqual({ isWiderThanItsPlace: false, menusInSight: 2, cutBrands: 0 });
      }
    }
  });
});

test.describe("lists on a screen of 1280", () => {
  test.use({ viewport: { width: 1280, height: 800 } });

  test("show all of their columns", async ({ page }) => {
    test.slow();
    const merchantId = await ownMerchant(page);
    await make(page, "/v1/sessions", {
      merchantId,
      amount: 18_990,
      name: "Kit de café especial torrado na fazenda, com moedor manual e duas xícaras",
      orderId: `PEDIDO-DE-DEZEMBRO-${randomUUID()}`,
      createLink: true,
      paymentMethods: [{ paymentType: "pix", expiresIn: 3_600 }],
      items: [{ name: "Kit", quantity: 1, unitPrice: 18_990 }],
    });
    await signIn(page);
    for (const locale of ["pt-BR", "en"]) {
      await page.context().addCookies([{ name: "trilho-locale", value: locale, url: new URL(page.url()).origin }]);
      const expectRoom = async (place: string) => {
        await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
        const tooWide = () =>
          page.locator("table, nav > ul").evaluateAll((each) =>
            each
              .filter((one) => one.scrollWidth > (one.parentElement?.clientWidth ?? 0))
              .filter((one) => (one.parentElement?.clientWidth ?? 0) > 0)
              .map((one) => `${one.scrollWidth} of ${one.parentElement?.clientWidth}`),
          );
        await expect.poll(tooWide, `${place}, ${locale}`).toEqual([]);
      };
      for (const list of LISTS) {
        await page.goto(`/dashboard/${list}`);
        await expectRoom(list);
      }
      for (const list of ["customers", "subscriptions", "sellers", "merchants"]) {
        await page.goto(`/dashboard/${list}`);
        await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
        const first = page.locator(`main a[href^="/dashboard/${list}/"]:visible:not([href$="/new"])`).first();
        if ((await first.count()) === 0) continue;
        const href = (await first.getAttribute("href")) ?? "";
        await page.goto(href);
        await expectRoom(href);
      }
    }
  });
});

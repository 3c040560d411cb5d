import { join } from "node:path";
import { type BrowserContextOptions, expect, test } from "@playwright/test";
import { demo } from "@/e2e/operator";

/** A folder for a picture of every page, to be looked at by people: `SCREENS=/tmp/screens npx playwright test …`. */
const FOLDER = process.env.SCREENS;

const PAGES = [
  "",
  "?period=7d&why=approval",
  "payments",
  "payments?do=columns",
  "payments?q=nobody@example.com",
  "reviews",
  "disputes",
  "notices",
  "notices/choices",
  "links",
  "links/new",
  "customers",
  "flows",
  "flows?do=create",
  "sellers",
  "sellers/new",
  "sellers/plans",
  "sellers/vendors",
  "sellers/reviews",
  "payouts",
  "payouts/batches",
  "payouts/prepayments",
  "payouts/prepayments/new",
  "payouts/holds",
  "finance",
  "finance/day",
  "finance/breaks",
  "finance/ledger",
  "finance/ledger?kind=bank",
  "subscriptions",
  "subscriptions/settings",
  "reports",
  "reports/new",
  "merchants",
  `merchants/${demo.merchantId}`,
  `merchants/${demo.merchantId}?do=add`,
  "developers/keys",
  "developers/keys?do=create",
  "developers/webhooks",
  "developers/webhooks/deliveries",
  "developers/webhooks/events",
  "developers/events",
  "developers/requests",
  "developers/idempotency",
  "developers/sandbox",
  "going-live",
  "proof",
  "audit",
  "settings/brand",
  "settings/protection",
  "settings/alerts",
  "settings/alerts?do=create&from=webhooks",
  "settings/team",
  "settings/team?do=invite",
  "settings/security",
  "settings/account",
  "settings/account?do=close",
  "settings/profile",
];

const PHONE = { width: 375, height: 812 };
const DESKTOP = { width: 1360, height: 860 };
const LOOKS: [string, BrowserContextOptions][] = [
  ["phone-light-en", { colorScheme: "light", viewport: PHONE, locale: "en-US" }],
  ["phone-dark-pt", { colorScheme: "dark", viewport: PHONE, locale: "pt-BR" }],
  ["desktop-light-pt", { colorScheme: "light", viewport: DESKTOP, locale: "pt-BR" }],
  ["desktop-dark-en", { colorScheme: "dark", viewport: DESKTOP, locale: "en-US" }],
];

for (const [look, options] of LOOKS) {
  test.describe(look, () => {
    test.use({ ...options, reducedMotion: "reduce" } as BrowserContextOptions);
    test("every page has its picture", async ({ page }) => {
      test.skip(FOLDER === undefined, "pictures are taken when they are asked for");
      test.setTimeout(600_000);
      await page.goto("/sign-in");
      await page.getByLabel("E-mail").fill(demo.dashboard.email);
      await page.getByLabel(/^(Senha|Password)$/).fill(demo.dashboard.password);
      await page.getByRole("button", { name: /^(Entrar|Sign in)$/ }).click();
      await expect(page).toHaveURL(/\/dashboard$/);
      const { items } = await (
        await page.request.get("/v1/charges?limit=1", {
          headers: { "x-client-id": demo.clientId, "x-api-key": demo.apiKey },
        })
      ).json();
      for (const path of [...PAGES, ...(items[0] ? [`payments/${items[0].id}`] : [])]) {
        await page.goto(`/dashboard/${path}`, { waitUntil: "networkidle" });
        const name = path.replace(/[^a-z0-9]+/gi, "-").replace(/^-|-$/g, "") || "home";
        await page.screenshot({ path: join(FOLDER ?? "", look, `${name}.png`), fullPage: true });
      }
    });
  });
}

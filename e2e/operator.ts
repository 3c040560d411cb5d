import { readFileSync } from "node:fs";
import { type Cookie, type Page, test } from "@playwright/test";
import { sessionOf } from "@/e2e/accounts";
import { expectAccessible, expectNoSidewaysScroll, expectReadable } from "@/e2e/axe";

interface Demo {
  baseUrl: string;
  clientId: string;
  apiKey: string;
  merchantId: string;
  dashboard: { email: string; password: string };
}

/** Written by the installation under test when it first started. */
export const demo: Demo = JSON.parse(readFileSync(process.env.E2E_DEMO_FILE ?? ".data/demo.json", "utf8"));

/** One session for all journeys of a worker: those of signing in itself have people of their own. */
let session: Promise<Cookie[]> | undefined;

/** As the operator of the sandbox account that the installation was started with, on one of their pages. */
export async function signIn(page: Page, path = "/dashboard"): Promise<void> {
  session ??= sessionOf(page, demo.dashboard.email);
  const cookies = await session.catch((error: unknown) => {
    session = undefined;
    throw error;
  });
  await page.context().addCookies(cookies);
  await page.goto(path);
}

/** Asked for where journeys beside this one have made merchants of the account. */
export async function chooseMerchant(page: Page): Promise<void> {
  const choice = page.getByLabel("Merchant", { exact: true });
  if ((await choice.count()) > 0) await choice.selectOption({ index: 1 });
}

const DESKTOP = { width: 1360, height: 860 };
const PHONE = { width: 375, height: 780 };

/** One pass of a screen: whole on a light desktop, then what a dark phone can break. */
export async function expectGoodScreen(page: Page, path: string): Promise<void> {
  await test.step(path, async () => {
    await page.setViewportSize(DESKTOP);
    await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
    await page.goto(path, { waitUntil: "networkidle" });
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
    await page.setViewportSize(PHONE);
    await expectReadable(page);
    await expectNoSidewaysScroll(page);
  });
}

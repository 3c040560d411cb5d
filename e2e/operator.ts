import { readFileSync } from "node:fs";
import AxeBuilder from "@axe-core/playwright";
import { expect, type Page, test } from "@playwright/test";
import { signInAs } from "@/e2e/accounts";

interface Demo {
  baseUrl: string;
  clientId: string;
  apiKey: string;
  merchantId: string;
  dashboard: { email: string; password: string };
}

/** Written by the installation under test when it first started. */
export const demo: Demo = JSON.parse(readFileSync(process.env.E2E_DEMO_FILE ?? ".data/demo.json", "utf8"));

/** As the operator of the sandbox account that the installation was started with. */
export const signIn = (page: Page): Promise<void> => signInAs(page, demo.dashboard.email);

const PAGE_RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
/** What can differ between two looks of one screen; the rest of it is the same. */
const LOOK_RULES = ["color-contrast", "link-in-text-block", "target-size", "scrollable-region-focusable"];

export const expectAccessible = (page: Page): Promise<void> =>
  expectNone(new AxeBuilder({ page }).withTags(PAGE_RULES));

async function expectNone(axe: AxeBuilder): Promise<void> {
  const { violations } = await axe.analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target).join(" | ")}`)).toEqual([]);
}

export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const extra = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(extra).toBeLessThanOrEqual(0);
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
    await expectNone(new AxeBuilder({ page }).withRules(LOOK_RULES));
    await expectNoSidewaysScroll(page);
  });
}

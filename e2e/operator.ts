import { readFileSync } from "node:fs";
import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";
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

export async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page })
    .withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"])
    .analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target).join(" | ")}`)).toEqual([]);
}

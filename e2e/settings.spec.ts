import { readFileSync } from "node:fs";
import { expect, type Page, test } from "@playwright/test";

interface Demo {
  dashboard: { email: string; password: string };
}

/** Written by the installation under test when it first started. */
const demo: Demo = JSON.parse(readFileSync(process.env.E2E_DEMO_FILE ?? ".data/demo.json", "utf8"));

async function signIn(page: Page): Promise<void> {
  await page.goto("/sign-in");
  await page.getByLabel("E-mail").fill(demo.dashboard.email);
  await page.getByLabel(/^(Senha|Password)$/).fill(demo.dashboard.password);
  await page.getByRole("button", { name: /^(Entrar|Sign in)$/ }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
}

test("the preview is for people who may make links or set the brand, and lets nothing run", async ({ page }) => {
  const address = "/dashboard/preview?state=payment.paid&lang=en";
  expect((await page.request.get(address)).status()).toBe(404);
  await signIn(page);
  const answer = await page.request.get(address);
  expect(answer.status()).toBe(200);
  const policy = answer.headers()["content-security-policy"] ?? "";
  for (const rule of ["default-src 'none'", "form-action 'none'", "frame-ancestors 'self'", "sandbox"]) {
    expect(policy).toContain(rule);
  }
  expect(await answer.text()).not.toContain("<script");
});

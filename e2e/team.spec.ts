import { readFile } from "node:fs/promises";
import { expect, type Page, test } from "@playwright/test";
import { TOTP } from "otpauth";
import { acceptByForm, acceptInvitation, anAccount, aPerson, enter, linkTo } from "@/e2e/accounts";
import { expectGoodDialog } from "@/e2e/axe";
import { expectGoodScreen } from "@/e2e/operator";
import { open } from "@/e2e/patience";

const HALF_MINUTE_MS = 30_000;

/** Of this half minute or the next: both are taken for half a minute yet, however slow the machine. */
const codeOf = (secret: string, steps = 0): string =>
  new TOTP({ secret }).generate({ timestamp: Date.now() + steps * HALF_MINUTE_MS });

async function addApp(page: Page): Promise<{ secret: string; recovery: string[] }> {
  await page.goto("/dashboard/settings/security");
  await page.getByRole("button", { name: "Add an authenticator app" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("img", { name: /QR/ })).toBeVisible();
  await expectGoodDialog(page, "settings/security?add-app");
  const secret = ((await dialog.locator("code").textContent()) ?? "").replace(/\s/g, "");
  await dialog.getByLabel("Code", { exact: true }).fill("000000");
  await dialog.getByRole("button", { name: "Confirm" }).click();
  await expect(dialog.getByText(/does not match/)).toBeVisible();
  await dialog.getByLabel("Code", { exact: true }).fill(codeOf(secret));
  await dialog.getByRole("button", { name: "Confirm" }).click();
  const codes = dialog.getByRole("status").locator("code");
  await expect(codes).toHaveText(/[A-Z2-7]{5}-[A-Z2-7]{5}/);
  const recovery = ((await codes.textContent()) ?? "").split(/\s+/).filter(Boolean);
  await expect(dialog.getByText(/^Scan the code/)).toBeHidden();
  // Shown this once: pressed once or twice, Escape takes nothing away.
  await expect(page.getByRole("dialog", { name: "Recovery codes" })).toBeVisible();
  await expect(dialog.getByRole("link", { name: "Close" })).toBeHidden();
  for (let pressed = 0; pressed < 2; pressed++) await page.keyboard.press("Escape");
  await expect(codes).toBeVisible();
  await expect(dialog.getByRole("link", { name: "I’ve saved it" })).toBeFocused();
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    dialog.getByRole("link", { name: "Download", exact: true }).click(),
  ]);
  expect(file.suggestedFilename()).toBe("trilho-recovery-codes.txt");
  const kept = await readFile(await file.path(), "utf8");
  for (const code of recovery) expect(kept).toContain(code);
  await dialog.getByRole("link", { name: "I’ve saved it" }).click();
  await expect(page.getByText("Recovery codes left: 10.")).toBeVisible();
  return { secret, recovery };
}

test.describe("in English", () => {
  test.use({ locale: "en-US", viewport: { width: 1360, height: 860 } });

  test("a team: invited by e-mail, in with a role, changed, and out at once when removed", async ({
    page,
    browser,
  }) => {
    test.slow();
    const [owner, support] = [aPerson("Ana Prado"), aPerson("Bia Reis")];
    const account = await anAccount(owner);
    await acceptInvitation(page, account.invitation, owner);
    await page.goto("/dashboard/settings/team");
    await expect(page.getByRole("heading", { name: "Invite the second person" })).toBeVisible();
    await page.getByRole("link", { name: "Invite", exact: true }).first().click();
    await page.getByLabel("E-mail").fill(support.email);
    await page.getByLabel("Role").selectOption("support");
    await page.getByRole("button", { name: "Send invitation" }).click();
    await expect(page.getByText("Invitation sent.")).toBeVisible();
    await page.getByRole("link", { name: /^Cancel/ }).click();
    await expectGoodDialog(page, "settings/team?revoke");
    await page.keyboard.press("Escape");

    const other = await browser.newContext({ locale: "en-US" });
    const theirs = await other.newPage();
    const link = await linkTo(theirs, support.email, "join");
    await theirs.goto(link);
    await theirs.getByLabel("Your name").fill(support.name);
    await theirs.getByLabel("New password").fill("password1234");
    await theirs.getByRole("button", { name: "Accept invitation" }).click();
    await expect(theirs.getByText(/appeared in public data leaks/)).toBeVisible();
    await acceptByForm(theirs, link, support);
    await expect(theirs.getByRole("link", { name: "Payments", exact: true }).first()).toBeVisible();
    await expect(theirs.getByRole("link", { name: "Keys", exact: true })).toHaveCount(0);
    expect((await theirs.request.get("/dashboard/settings/team")).status()).toBe(404);
    await theirs.goto(link);
    await expect(theirs.getByRole("heading", { name: "This link is no longer valid" })).toBeVisible();

    await page.goto("/dashboard/settings/team");
    const row = page.getByRole("row").filter({ hasText: support.email });
    await expect(row).toContainText("up to R$500.00 per refund, R$2,000.00 per day");
    await row.getByRole("link", { name: /^Change/ }).click();
    await page.getByLabel("Limit per refund").fill("50.00");
    await page.getByLabel("Daily refund limit").fill("100.00");
    await page.getByRole("button", { name: "Save" }).click();
    await expect(row).toContainText("up to R$50.00 per refund, R$100.00 per day");
    expect((await theirs.request.get("/dashboard/payments")).status()).toBe(200);

    await page
      .getByRole("row")
      .filter({ hasText: owner.email })
      .getByRole("link", { name: /^Remove/ })
      .click();
    await page.getByRole("button", { name: "Remove from the team" }).click();
    await expect(page.getByRole("dialog").getByRole("alert")).toContainText("needs at least one owner");
    await page.goto("/dashboard/settings/team");
    await row.getByRole("link", { name: /^Remove/ }).click();
    await page.getByRole("button", { name: "Remove from the team" }).click();
    await expect(page.getByText("Person removed and signed out everywhere.")).toBeVisible();
    const after = await theirs.request.get("/dashboard/payments", { maxRedirects: 0 });
    expect(after.headers().location ?? (await after.text())).toContain("/sign-in");
    await other.close();
  });

  test("a forgotten password: the same answer for everybody, a new one by e-mail, and every session over", async ({
    page,
    browser,
  }) => {
    test.slow();
    const owner = aPerson("Caio Lima");
    await acceptInvitation(page, (await anAccount(owner)).invitation, owner);
    const other = await browser.newContext({ locale: "en-US" });
    const fresh = await other.newPage();
    for (const email of [`nobody.${owner.email}`, owner.email]) {
      await fresh.goto("/sign-in");
      await fresh.getByRole("link", { name: "Forgot password" }).click();
      await expect(fresh.getByRole("heading", { name: "Forgot your password" })).toBeVisible();
      await fresh.getByLabel("E-mail").fill(email);
      await fresh.getByRole("button", { name: "Send link" }).click();
      await expect(fresh.getByText(/If an account exists for that e-mail/)).toBeVisible();
    }
    await fresh.goto(await linkTo(fresh, owner.email, "reset"));
    await fresh.getByLabel("New password").fill("another long enough phrase");
    await fresh.getByRole("button", { name: "Save password" }).click();
    await expect(fresh.getByText("New password saved. Sign in with it.")).toBeVisible();
    const after = await page.request.get("/dashboard/payments", { maxRedirects: 0 });
    expect(after.headers().location ?? (await after.text())).toContain("/sign-in");
    await enter(fresh, { ...owner, password: "another long enough phrase" });
    await expect(fresh).toHaveURL(/\/dashboard$/);
    await other.close();
  });

  test("a second factor: added with a QR, asked for at sign-in, each code once, recovery codes, removed again", async ({
    page,
    context,
  }) => {
    test.slow();
    const owner = aPerson("Davi Melo");
    await acceptInvitation(page, (await anAccount(owner)).invitation, owner);
    const { secret, recovery } = await addApp(page);
    await context.clearCookies();
    await enter(page, owner);
    const used = codeOf(secret, 1);
    await page.getByLabel("Code", { exact: true }).fill(used);
    await page.getByRole("button", { name: "Confirm" }).click();
    await expect(page).toHaveURL(/\/dashboard$/);
    await context.clearCookies();
    await enter(page, owner);
    await page.getByLabel("Code", { exact: true }).fill(used);
    await page.getByRole("button", { name: "Confirm" }).click();
    await expect(page.getByRole("alert").filter({ hasText: "already used" })).toBeVisible();
    await page.getByLabel("Code", { exact: true }).fill(recovery[0] ?? "");
    await page.getByRole("button", { name: "Confirm" }).click();
    await expect(page).toHaveURL(/\/dashboard$/);
    await page.goto("/dashboard/settings/security?do=new-codes");
    await expectGoodDialog(page, "settings/security?new-codes");
    await page.goto("/dashboard/settings/security?do=remove-app");
    await expectGoodDialog(page, "settings/security?remove-app");
    await page.getByLabel("Password", { exact: true }).fill(owner.password);
    await page.getByLabel("Code", { exact: true }).fill(recovery[1] ?? "");
    await page.getByRole("button", { name: "Remove authenticator app" }).click();
    await expect(page.getByText("Authenticator app removed.")).toBeVisible();
  });

  test("on a live account nothing is read or done before a second factor is there", async ({ page }) => {
    test.slow();
    const owner = aPerson("Eva Nunes");
    await acceptInvitation(page, (await anAccount(owner, { live: true })).invitation, owner);
    for (const path of ["", "/payments", "/developers/keys?do=create", "/settings/team", "/settings/profile"]) {
      await page.goto(`/dashboard${path}`);
      await expect(page).toHaveURL(/\/dashboard\/settings\/security$/);
    }
    await expect(page.getByText("It opens once you add a second factor")).toBeVisible();
    await expect(page.getByRole("link", { name: "Payments", exact: true })).toHaveCount(0);
    for (const path of ["search?q=a", "audit/export", "payments/newer"])
      expect((await page.request.get(`/dashboard/${path}`)).status(), path).toBe(403);
    await addApp(page);
    await expect(page.getByRole("link", { name: "Payments", exact: true }).first()).toBeVisible();
    await page.goto("/dashboard/developers/keys?do=create");
    await page.getByRole("dialog").getByLabel("Access", { exact: true }).selectOption("all");
    await page.getByRole("button", { name: "Create key" }).click();
    await expect(page.getByRole("status").filter({ hasText: "Your secret key" }).locator("code")).toHaveText(
      /^sk_live_/,
    );
  });

  test("sessions: another device is listed, ended from here, and out with its old cookie at once", async ({
    page,
    browser,
  }) => {
    test.slow();
    const owner = aPerson("Fabio Dias");
    await acceptInvitation(page, (await anAccount(owner)).invitation, owner);
    const phone = await browser.newContext({
      locale: "en-US",
      userAgent:
        "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605 Version/19.0 Mobile Safari/604",
    });
    const theirs = await phone.newPage();
    await enter(theirs, owner);
    await expect(theirs).toHaveURL(/\/dashboard$/);
    await page.goto("/dashboard/settings/security");
    const row = page.getByRole("row").filter({ hasText: "Safari · iPhone" });
    await row.getByRole("button", { name: "End" }).click();
    await expect(page.getByText("Session ended.")).toBeVisible();
    await expect(row).toHaveCount(0);
    const after = await theirs.request.get("/dashboard/payments", { maxRedirects: 0 });
    expect(after.headers().location ?? (await after.text())).toContain("/sign-in");
    await phone.close();
  });

  test("who did that: the audit log names who, when and what, verifies its chain and exports the filter", async ({
    page,
  }) => {
    test.slow();
    const owner = aPerson("Gil Rocha");
    await acceptInvitation(page, (await anAccount(owner)).invitation, owner);
    await page.goto("/dashboard/developers/keys?do=create");
    await page.getByRole("dialog").getByLabel("Access", { exact: true }).selectOption("all");
    await page.getByRole("button", { name: "Create key" }).click();
    await page.getByRole("link", { name: "I’ve saved it" }).click();
    await page.goto("/dashboard/audit");
    await page.getByLabel("What", { exact: true }).selectOption("keys");
    await expect(page).toHaveURL(/kind=keys/);
    const row = page.getByRole("row").filter({ hasText: "Secret key created" });
    await expect(row).toContainText(owner.name);
    await page.getByRole("link", { name: "Verify the chain" }).click();
    await expect(page.getByText(/The chain is intact/)).toBeVisible();
    const file = await page.request.get("/dashboard/audit/export?kind=keys");
    expect(file.headers()["content-type"]).toContain("text/csv");
    const lines = (await file.text()).trim().split("\r\n");
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain("secret_key.create");
    await row.getByRole("link", { name: "Secret key created" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Secret key created" })).toBeVisible();
    await expect(page.getByRole("cell", { name: /^sk_sandbox_/ })).toBeVisible();
    await expect(page.getByText(/^position \d+$/)).toBeVisible();
  });

  test("one's profile: language and time zone count at once and at the next sign-in", async ({ page, context }) => {
    test.slow();
    const owner = aPerson("Hugo Alves");
    await acceptInvitation(page, (await anAccount(owner)).invitation, owner);
    await page.goto("/dashboard/settings/profile");
    await page.getByRole("combobox", { name: "Language" }).selectOption("pt-BR");
    await page.getByLabel("Time zone").selectOption("Europe/Lisbon");
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText("Perfil salvo.")).toBeVisible();
    await context.clearCookies();
    await enter(page, owner);
    await expect(page.getByRole("link", { name: "Pagamentos", exact: true }).first()).toBeVisible();
    await page.goto("/dashboard/settings/profile");
    await expect(page.getByLabel("Fuso horário")).toHaveValue("Europe/Lisbon");
  });

  test("several accounts: somebody who exists joins another, and switches between test and live", async ({ page }) => {
    test.slow();
    const owner = aPerson("Iris Souza");
    const sandbox = await anAccount(owner);
    await acceptInvitation(page, sandbox.invitation, owner);
    const live = await anAccount(owner, { live: true });
    await page.goto(live.invitation);
    await expect(page.getByText(/Your password stays the same/)).toBeVisible();
    await page.getByRole("button", { name: "Accept invitation" }).click();
    await expect(page.getByText("Invitation accepted. Sign in to begin.")).toBeVisible();
    await enter(page, owner);
    await expect(page.getByText("Sandbox: test account, no real money.")).toBeVisible();
    const other = page.getByRole("menuitemradio", { name: new RegExp(live.name) });
    await open(page.getByRole("button", { name: "Switch account" }).first(), other);
    await other.click();
    await expect(page.getByRole("button", { name: "Switch account" }).first()).toContainText(live.name);
    await expect(page.getByText("Sandbox: test account, no real money.")).toHaveCount(0);
  });
});

test("every page for people who are not in yet is accessible and fits", async ({ page }) => {
  test.slow();
  const { invitation } = await anAccount(aPerson("Julia Castro"));
  for (const path of ["/forgot", "/forgot?sent=1", "/reset/unknown", "/join/unknown", invitation])
    await expectGoodScreen(page, path);
});

for (const part of [
  [
    "/dashboard/settings/team",
    "/dashboard/settings/team?do=invite",
    "/dashboard/settings/security",
    "/dashboard/settings/security?do=password",
  ],
  [
    "/dashboard/settings/profile",
    "/dashboard/settings/account",
    "/dashboard/settings/account?do=close",
    "/dashboard/settings/account?do=export",
  ],
]) {
  test(`accessible and fit: ${part.join(", ")}`, async ({ page }) => {
    test.slow();
    const owner = aPerson("Julia Castro");
    await acceptInvitation(page, (await anAccount(owner)).invitation, owner);
    for (const path of part) await expectGoodScreen(page, path);
  });
}

test("every page of the audit log is accessible and fits", async ({ page }) => {
  test.slow();
  const owner = aPerson("Julia Castro");
  await acceptInvitation(page, (await anAccount(owner)).invitation, owner);
  for (const path of ["/dashboard/audit", "/dashboard/audit?check=1", "/dashboard/audit?q=nothing-like-this"])
    await expectGoodScreen(page, path);
  await page.goto("/dashboard/audit");
  await expectGoodScreen(page, (await page.locator("a[data-row]").first().getAttribute("href")) ?? "");
});

import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, type Page, test } from "@playwright/test";
import { expectAccessible } from "@/e2e/axe";
import { type CompanyServer, openCompany } from "@/lib/testing/company";
import { freePort } from "@/lib/testing/ports";

test.use({ locale: "en-US", viewport: { width: 1360, height: 860 } });
test.describe.configure({ mode: "serial" });

const ROOT = join(import.meta.dirname, "..");
const START_TIMEOUT_MS = 180_000;

/** An installation of this journey's own, with the company's sign-in: every other journey meets one without. */
interface Installation {
  url: string;
  email: string;
  password: string;
  stop(): Promise<void>;
}

let company: CompanyServer;
let own: Installation;

test.beforeAll(async () => {
  test.setTimeout(START_TIMEOUT_MS);
  company = await openCompany();
  own = await install(company);
});
test.afterAll(async () => {
  await own?.stop();
  await company?.close();
});

async function install({ company: { issuer, clientId, clientSecret } }: CompanyServer): Promise<Installation> {
  // Beside the data of the other installation; a private folder of the system's would keep PostgreSQL out.
  const folder = join(dirname(process.env.E2E_DEMO_FILE ?? join(ROOT, ".data", "demo.json")), "..", "company");
  rmSync(folder, { recursive: true, force: true });
  const port = String(await freePort());
  const child = spawn(process.execPath, ["--import", "tsx", "scripts/run.ts", "start"], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...process.env,
      PORT: port,
      HOST: "127.0.0.1",
      TRILHO_DATA_DIR: folder,
      DATABASE_URL: "",
      BASE_URL: "",
      RATE_LIMITS: "off",
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: clientId,
      OIDC_CLIENT_SECRET: clientSecret,
    },
  });
  await new Promise<void>((resolve, reject) => {
    let said = "";
    const listen = (chunk: Buffer) => {
      said += chunk.toString();
      if (said.includes("Trilho is ready")) resolve();
    };
    child.stdout.on("data", listen);
    child.stderr.on("data", listen);
    child.once("exit", (code) => reject(new Error(`npm start ended with ${code}:\n${said}`)));
  });
  // Guarantee: the first start of an installation writes who may sign in to it.
  const demo = JSON.parse(readFileSync(join(folder, "demo.json"), "utf8")) as { dashboard: Installation };
  return {
    ...demo.dashboard,
    url: `http://localhost:${port}`,
    stop: async () => {
      child.kill("SIGINT");
      await once(child, "exit");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const toCompany = async (page: Page, path = "/sign-in"): Promise<void> => {
  await page.goto(`${own.url}${path}`);
  await page.getByRole("link", { name: "Sign in with your company" }).click();
  await expect(page.getByRole("heading", { name: "The company" })).toBeVisible();
};

test("to the company and back: the page that was wanted, and once more after signing out", async ({ page }) => {
  company.seat({ sub: "p-1", email: own.email, email_verified: true, name: "Ana Prado" });
  await page.goto(`${own.url}/dashboard/links`);
  await expect(page).toHaveURL(/\/sign-in\?/);
  await expectAccessible(page);
  await page.getByRole("link", { name: "Sign in with your company" }).click();
  await page.getByRole("link", { name: "Continue" }).click();
  await expect(page).toHaveURL(`${own.url}/dashboard/links`);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await page.context().clearCookies();
  // From now on the name over there counts, whatever address it comes with.
  company.seat({ sub: "p-1" });
  await toCompany(page);
  await page.getByRole("link", { name: "Continue" }).click();
  await expect(page).toHaveURL(`${own.url}/dashboard`);
});

test("whom the company knows and nobody here invited stays outside, and is told whom to ask", async ({ page }) => {
  company.seat({ sub: "p-2", email: "somebody@empresa.example", email_verified: true });
  await toCompany(page);
  await page.getByRole("link", { name: "Continue" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "Ask an account owner." })).toBeVisible();
  await page.goto(`${own.url}/dashboard`);
  await expect(page).toHaveURL(/\/sign-in/);
});

test("a sign-in that was cancelled over there, and a way back that is used again, bring nobody in", async ({
  page,
}) => {
  await toCompany(page);
  await page.getByRole("link", { name: "Cancel" }).click();
  await expect(page.getByText("Your company’s sign-in was not completed. Try again.")).toBeVisible();
  company.seat({ sub: "p-1" });
  await toCompany(page);
  const returned = page.waitForRequest((request) => request.url().includes("/sign-in/company/return?"));
  await page.getByRole("link", { name: "Continue" }).click();
  const way = (await returned).url();
  await expect(page).toHaveURL(`${own.url}/dashboard`);
  await page.context().clearCookies();
  await page.goto(way);
  await expect(page.getByText("This sign-in link was already used or has expired. Start again.")).toBeVisible();
});

test("when the company stops answering on the way back the page says so, and the password still works", async ({
  page,
}) => {
  await toCompany(page);
  const way = company.signIn(page.url(), { sub: "p-1" });
  await company.close();
  await page.goto(`${own.url}/sign-in/company/return${way}`);
  await expect(page.getByText("You can still use your password here.")).toBeVisible();
  await page.getByLabel("E-mail").fill(own.email);
  await page.getByLabel("Password", { exact: true }).fill(own.password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page).toHaveURL(`${own.url}/dashboard`);
});

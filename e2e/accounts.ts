import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect, type Page } from "@playwright/test";

const ROOT = join(import.meta.dirname, "..");
export const PASSWORD = "correct horse battery staple";

export interface Person {
  name: string;
  email: string;
  password: string;
}

export const aPerson = (name: string): Person => ({
  name,
  email: `${name.toLowerCase().replace(/[^a-z]+/g, ".")}.${randomUUID().slice(0, 8)}@equipe.example`,
  password: PASSWORD,
});

export interface OwnAccount {
  clientId: string;
  apiKey: string;
  name: string;
  /** The path of the link for its first owner. */
  invitation: string;
}

/** An account of the journey's own, as the command line makes it beside a running server. */
export async function anAccount(owner: Person, options: { live?: boolean } = {}): Promise<OwnAccount> {
  const name = `Loja ${randomUUID().slice(0, 8)}`;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      ...["--import", "tsx", "scripts/client.ts", "create", "--name", name, "--owner", owner.email],
      ...(options.live ? ["--live"] : []),
    ],
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
  // Guarantee: the command's own answer, asked for above.
  const made = JSON.parse(stdout) as OwnAccount;
  return { ...made, invitation: new URL(made.invitation).pathname };
}

/** A new person accepts, chooses a password and is in. */
export async function acceptInvitation(page: Page, path: string, { name, password }: Person): Promise<void> {
  await page.goto(path);
  await page.getByLabel(/^(Seu nome|Your name)$/).fill(name);
  await page.getByLabel(/^(Senha nova|New password)$/).fill(password);
  await page.getByRole("button", { name: /^(Aceitar convite|Accept invitation)$/ }).click();
  // A live account opens on the page that adds a second factor.
  await expect(page).toHaveURL(/\/dashboard(\/settings\/security)?$/);
}

export async function enter(page: Page, { email, password }: Person): Promise<void> {
  await page.goto("/sign-in");
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel(/^(Senha|Password)$/).fill(password);
  await page.getByRole("button", { name: /^(Entrar|Sign in)$/ }).click();
}

/** The path of the link in the newest e-mail to somebody, once the worker has written it. */
export async function linkTo(page: Page, email: string, kind: "join" | "reset"): Promise<string> {
  let path = "";
  await expect(async () => {
    const list = await (await page.request.get("/dev/mail")).text();
    const rows = list.split("<tr").filter((row) => row.includes(email));
    const mails = rows.flatMap((row) => /\/dev\/mail\/[0-9a-f-]{36}/.exec(row)?.[0] ?? []);
    for (const mail of mails) {
      const text = await (await page.request.get(mail)).text();
      path = new RegExp(`/${kind}/[\\w-]{30,}`).exec(text)?.[0] ?? "";
      if (path) break;
    }
    expect(path).not.toBe("");
  }).toPass();
  return path;
}

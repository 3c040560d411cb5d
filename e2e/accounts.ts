import { randomUUID } from "node:crypto";
import { type Cookie, expect, type Page } from "@playwright/test";

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

/** An account of the test's own, made beside the running server; its owner is invited. */
export async function anAccount(owner: Person, { live = false }: { live?: boolean } = {}): Promise<OwnAccount> {
  return (await ask("/accounts", { name: `Loja ${randomUUID().slice(0, 8)}`, owner: owner.email, live })) as OwnAccount;
}

/** Calls of the journey's own account. */
export function callsOf({ clientId, apiKey }: OwnAccount, page: Page) {
  return async <T>(method: "GET" | "POST" | "PATCH", path: string, data?: unknown, scenario?: string): Promise<T> => {
    const answer = await page.request.fetch(path, {
      method,
      ...(data === undefined ? {} : { data }),
      headers: {
        "x-client-id": clientId,
        "x-api-key": apiKey,
        "x-idempotency-key": randomUUID(),
        ...(scenario ? { "x-sandbox-scenario": scenario } : {}),
      },
    });
    const text = await answer.text();
    expect(answer.ok(), `${path} ${text}`).toBe(true);
    // Guarantee: the caller asserts what it reads.
    return (text ? JSON.parse(text) : {}) as T;
  };
}
export type Call = ReturnType<typeof callsOf>;

/** A shop of it, paid through the simulator. */
export const shopOf = async (call: Call): Promise<string> =>
  (
    await call<{ id: string }>("POST", "/v1/merchants", {
      name: `Loja ${randomUUID().slice(0, 8)}`,
      mcc: "5411",
      providers: [{ name: "SANDBOX", priority: 1, credentials: { type: "SANDBOX" } }],
    })
  ).id;

/** A new person has accepted, has a password and is in. Tests of the form itself use `acceptByForm`. */
export async function acceptInvitation(page: Page, path: string, { name, password }: Person): Promise<void> {
  await take(page, await ask("/joined", { token: path.split("/").at(-1) ?? "", name, password }));
  // Most go on to another page at once.
  await page.goto("/dashboard", { waitUntil: "commit" });
  await expect(page).toHaveURL(/\/dashboard(\/settings\/security)?$/);
}

export async function acceptByForm(page: Page, path: string, { name, password }: Person): Promise<void> {
  await page.goto(path);
  await page.getByLabel(/^(Seu nome|Your name)$/).fill(name);
  await page.getByLabel(/^(Nova senha|New password)$/).fill(password);
  await page.getByRole("button", { name: /^(Aceitar convite|Accept invitation)$/ }).click();
  await expect(page).toHaveURL(/\/dashboard(\/settings\/security)?$/);
}

/** Two figures of a shop's statements that differ: the simulator's never do. */
export const openBreakOf = ({ clientId }: OwnAccount, merchantId: string) => ask("/breaks", { clientId, merchantId });

/** The cookies of somebody who is signed in, made without the form. */
export async function sessionOf(page: Page, email: string): Promise<Cookie[]> {
  await take(page, await ask("/tickets", { email }));
  return page.context().cookies();
}

/** As many wrong passwords from elsewhere as make every other browser prove its work. */
export const guessPasswordOf = ({ email }: Person) => ask("/guesses", { email });

async function take(page: Page, given: unknown): Promise<void> {
  // Guarantee: both actions of people.ts that are asked here answer a ticket.
  const { ticket } = given as { ticket: string };
  const { csrfToken } = await (await page.request.get("/api/auth/csrf")).json();
  const response = await page.request.post("/api/auth/callback/credentials", {
    form: { csrfToken, ticket },
    headers: { origin: `http://localhost:${process.env.E2E_PORT}` },
    maxRedirects: 0,
  });
  expect(response.status(), "the ticket was not taken").toBe(302);
}

async function ask(action: string, body: object): Promise<unknown> {
  const response = await fetch(`http://127.0.0.1:${process.env.E2E_PEOPLE_PORT}${action}`, {
    method: "POST",
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${action}: ${await response.text()}`);
  return response.json();
}

export async function enter(page: Page, { email, password }: Person): Promise<void> {
  await page.goto("/sign-in");
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel(/^(Senha|Password)$/).fill(password);
  await page.getByRole("button", { name: /^(Entrar|Sign in)$/ }).click();
}

/** The path of the link in the newest e-mail to somebody, once the worker has written it. */
export async function linkTo(page: Page, email: string, kind: "join" | "reset" | "seller/enter"): Promise<string> {
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

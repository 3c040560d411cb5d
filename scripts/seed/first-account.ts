import { randomBytes } from "node:crypto";
import { z } from "zod";
import { dispatch } from "@/app/api/registry";
import { systemDb } from "@/db/client";
import { type CreatedAccount, createAccount, disableAccount, listAccounts } from "@/lib/accounts/service";
import type { Env } from "@/lib/env";
import { UNLIMITED } from "@/lib/sessions/state";
import { createOperator } from "@/lib/sign-in/service";
import { type Demo, writeDemo } from "@/scripts/seed/demo";

const DEMO_ACCOUNT = "Demo";
const DEMO_EMAIL = "demo@trilho.example";
const PASSWORD_BYTES = 15;
const PIX_SECONDS = 1_800;

/** A sandbox account with a merchant and a dashboard login. The operator is written last: the seal of it. */
export async function createFirstAccount(settings: Env): Promise<void> {
  // What a start that was interrupted here left behind: its key was never shown.
  for (const { name, clientId } of await listAccounts()) if (name === DEMO_ACCOUNT) await disableAccount(clientId);
  const account = await createAccount({ name: DEMO_ACCOUNT, mode: "sandbox" });
  const merchantId = await createMerchant(account);
  const demo: Demo = {
    baseUrl: settings.BASE_URL,
    clientId: account.clientId,
    apiKey: account.apiKey,
    merchantId,
    sessionId: await createLink(account, merchantId),
    dashboard: { email: DEMO_EMAIL, password: randomBytes(PASSWORD_BYTES).toString("base64url") },
  };
  writeDemo(settings.TRILHO_DATA_DIR, demo);
  await createOperator(systemDb(), {
    ...demo.dashboard,
    name: "Demo operator",
    clientId: account.clientId,
    role: "owner",
  });
}

const created = z.object({ id: z.uuid() });

const createMerchant = (account: CreatedAccount): Promise<string> =>
  create(account, "/v1/merchants", {
    mcc: "5732",
    name: "Loja Demo",
    merchantName: "Loja Demo",
    providers: [{ name: "Sandbox", priority: 1, credentials: { type: "SANDBOX" } }],
  });

const createLink = (account: CreatedAccount, merchantId: string): Promise<string> =>
  create(account, "/v1/sessions", {
    merchantId,
    name: "Fone de ouvido",
    createLink: true,
    maxPayments: UNLIMITED,
    paymentMethods: [
      { paymentType: "pix", expiresIn: PIX_SECONDS },
      { paymentType: "credit", installments: 12 },
    ],
    items: [{ name: "Fone de ouvido sem fio", unitPrice: 29_990, quantity: 1, tangible: true }],
  });

/** Through the API itself: what a newcomer's first calls would do. */
async function create({ clientId, apiKey }: CreatedAccount, path: string, body: object): Promise<string> {
  const answer = await dispatch(
    new Request(`http://localhost${path}`, {
      method: "POST",
      headers: { "x-client-id": clientId, "x-api-key": apiKey, "content-type": "application/json" },
      body: JSON.stringify(body),
    }),
  );
  if (!answer.ok) throw new Error(`The first account's ${path} was refused: ${await answer.text()}`);
  return created.parse(await answer.json()).id;
}

import { createServer, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { eq } from "drizzle-orm";
import { z } from "zod";
import { systemDb } from "@/db/client";
import { operators } from "@/db/schema/operators";
import { createAccount, loadAccount } from "@/lib/accounts/service";
import { saoPauloDay } from "@/lib/brazil/bank-calendar";
import { inTransaction, now, systemContext } from "@/lib/context";
import { DEFAULT_LOCALE } from "@/lib/i18n/locales";
import { newId } from "@/lib/ids";
import { openOperatorSession } from "@/lib/operators/sessions";
import { keepBreaks } from "@/lib/settlement/breaks";
import { acceptInvitation, invite } from "@/lib/sign-in/invitations";
import { sessionTicket } from "@/lib/sign-in/session-ticket";
import { claimAttempt, FAILURES_PER_EMAIL } from "@/lib/sign-in/sign-in-attempts";
import { realNow } from "@/lib/time";
import { withDatabase } from "@/scripts/start/with-database";

/**
 * Makes accounts and signs people in beside the installation under test, so that only the tests of sign-in and of
 * invitations spend time on forms and password hashes. One process for the whole run; loopback only.
 */
const ADDRESS = "127.0.0.1";
const READY_EVERY_MS = 250;

const account = z.object({ name: z.string(), owner: z.string(), live: z.boolean() });
const joining = z.object({ token: z.string(), name: z.string(), password: z.string() });
const person = z.object({ email: z.string() });
const shop = z.object({ clientId: z.string(), merchantId: z.string() });

const ACTIONS: Readonly<Record<string, (body: unknown) => Promise<object>>> = {
  "/accounts": async (body) => {
    const { name, owner, live } = account.parse(body);
    const { clientId, apiKey } = await createAccount({ name, mode: live ? "live" : "sandbox" });
    const context = systemContext(await loadAccount(clientId), newId());
    const invited = await invite(context, { email: owner, role: "owner", locale: DEFAULT_LOCALE });
    if (invited.kind !== "sent") throw new Error(`not invited: ${invited.kind}`);
    return { clientId, apiKey, name, invitation: new URL(invited.url).pathname };
  },
  "/joined": async (body) => {
    const { token, ...typed } = joining.parse(body);
    const accepted = await acceptInvitation(systemDb(), token, typed, ADDRESS, realNow());
    if (accepted.kind !== "joined") throw new Error(`not joined: ${accepted.kind}`);
    return ticketOf(accepted.email);
  },
  "/tickets": async (body) => ticketOf(person.parse(body).email),
  /** Somebody guesses a person's password, from networks that are not this machine's. */
  "/guesses": async (body) => {
    const { email } = person.parse(body);
    for (let nth = 0; nth < FAILURES_PER_EMAIL; nth++) {
      await claimAttempt(systemDb(), { email, place: { network: `203.0.${nth}.7` } }, realNow());
    }
    return {};
  },
  "/breaks": async (body) => {
    const { clientId, merchantId } = shop.parse(body);
    const ctx = systemContext(await loadAccount(clientId), newId());
    const difference = { subject: "a line", chargeId: null, day: saoPauloDay(now(ctx)), expected: 8_000, found: 7_999 };
    await inTransaction(ctx, (inside) => keepBreaks(inside, merchantId, "settlement_mismatch", [difference]));
    return {};
  },
};

async function ticketOf(email: string): Promise<{ ticket: string }> {
  const [found] = await systemDb().select({ id: operators.id }).from(operators).where(eq(operators.email, email));
  if (!found) throw new Error(`nobody has the e-mail ${email}`);
  const at = realNow();
  const sessionId = await openOperatorSession(systemDb(), found.id, { address: ADDRESS, userAgent: null }, at);
  return { ticket: sessionTicket({ operatorId: found.id, sessionId }, at) };
}

async function answer(request: IncomingMessage): Promise<object> {
  const action = ACTIONS[request.url ?? ""];
  if (!action) throw new Error(`no action ${request.url}`);
  return action(JSON.parse(await text(request)));
}

async function installationIsReady(url: string): Promise<void> {
  while (
    !(await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    await new Promise((resolve) => setTimeout(resolve, READY_EVERY_MS));
  }
}

const { E2E_PORT, E2E_PEOPLE_PORT } = process.env;
await installationIsReady(`http://localhost:${E2E_PORT}/sign-in`);
await withDatabase(
  () =>
    new Promise<void>((resolve) => {
      const server = createServer((request, response) => {
        if (request.method !== "POST") {
          response.end();
          return;
        }
        answer(request).then(
          (value) => response.end(JSON.stringify(value)),
          (error: unknown) => response.writeHead(500).end(error instanceof Error ? error.message : String(error)),
        );
      });
      server.listen(Number(E2E_PEOPLE_PORT), ADDRESS);
      for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => server.close(() => resolve()));
    }),
);

import { TOTP } from "otpauth";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { GET as comeBack } from "@/app/(auth)/sign-in/company/return/route";
import { GET as leave } from "@/app/(auth)/sign-in/company/route";
import { systemDb } from "@/db/client";
import { createAccount } from "@/lib/accounts/service";
import { newId } from "@/lib/ids";
import { findOperatorSession } from "@/lib/operators/sessions";
import { createOperator, isChallengeOpen } from "@/lib/sign-in/service";
import { openTicket } from "@/lib/sign-in/session-ticket";
import { beginTotp, confirmTotp, enrolmentOf } from "@/lib/sign-in/totp";
import { type CompanyServer, openCompany } from "@/lib/testing/company";
import { realNow } from "@/lib/time";

/** One browser and one installation: everything else is real. */
const seen = vi.hoisted(() => ({
  jar: new Map<string, string>(),
  tickets: [] as string[],
  company: undefined as unknown,
}));
vi.mock("next/headers", () => ({
  headers: async () => new Headers(),
  cookies: async () => ({
    get: (name: string) => (seen.jar.has(name) ? { name, value: seen.jar.get(name) } : undefined),
    set: (name: string, value: string) => (value === "" ? seen.jar.delete(name) : seen.jar.set(name, value)),
  }),
}));
vi.mock("@/app/(auth)/auth", () => ({
  auth: async () => null,
  signIn: async (_way: string, given: { ticket: string }) => seen.tickets.push(given.ticket),
}));
vi.mock("@/lib/sign-in/company-sign-in", async (original) => ({
  ...(await original<typeof import("@/lib/sign-in/company-sign-in")>()),
  ourCompany: () => seen.company,
}));

const HERE = "http://localhost:3000/sign-in/company";
let server: CompanyServer;
beforeAll(async () => {
  server = await openCompany();
});
afterAll(() => server.close());
beforeEach(() => {
  seen.jar.clear();
  seen.tickets.length = 0;
  seen.company = server.company;
});

/** Where Next sends the browser, or the status it answers. */
async function answerTo(work: Promise<Response>): Promise<string> {
  try {
    return String((await work).status);
  } catch (thrown) {
    const digest = thrown instanceof Error && "digest" in thrown ? String(thrown.digest) : "";
    if (digest === "NEXT_HTTP_ERROR_FALLBACK;404") return "404";
    if (!digest.startsWith("NEXT_REDIRECT")) throw thrown;
    return digest.split(";").slice(2, -2).join(";");
  }
}

const leaving = () => answerTo(leave(new Request(`${HERE}?return=%2Fdashboard%2Flinks`)));
const back = (query: string) => answerTo(comeBack(new Request(`${HERE}/return${query}`)));

async function aPerson() {
  const { clientId } = await createAccount({ name: "Loja", mode: "sandbox" });
  const email = `ana-${newId()}@empresa.example`;
  const password = "correct horse battery staple";
  const { id } = await createOperator(systemDb(), { email, name: "Ana", password, clientId, role: "owner" });
  return { id, email };
}

const employee = (email: string) => ({ sub: newId(), email, email_verified: true });

test("to the company and back: a session of the person, and the page they wanted", async () => {
  const person = await aPerson();
  const out = await leaving();
  expect(out.startsWith(`${server.company.issuer}/authorize?`)).toBe(true);
  expect(await back(server.signIn(out, employee(person.email)))).toBe("/dashboard/links");
  const opened = openTicket(seen.tickets[0] ?? "", realNow());
  expect(opened?.operatorId).toBe(person.id);
  const session = await findOperatorSession(systemDb(), opened?.sessionId ?? "", realNow());
  expect(session?.operator.id).toBe(person.id);
  expect(seen.jar.has("trilho.company")).toBe(false);
});

test("a second factor of ours is asked for on the sign-in page, and no session is there before it", async () => {
  const person = await aPerson();
  const now = realNow();
  await beginTotp(systemDb(), person, now);
  const secret = (await enrolmentOf(systemDb(), person))?.secret ?? "";
  const code = new TOTP({ secret }).generate({ timestamp: now.getTime() });
  await confirmTotp(systemDb(), { operatorId: person.id, address: null }, code, now);
  const out = await leaving();
  expect(await back(server.signIn(out, employee(person.email)))).toBe("/sign-in?return=%2Fdashboard%2Flinks");
  expect(seen.tickets).toEqual([]);
  expect(await isChallengeOpen(systemDb(), seen.jar.get("trilho.step") ?? "", realNow())).toBe(true);
});

test.each([
  ["who is nobody here", "unknown", {}],
  ["whose word does not hold", "refused", { nonce: "another" }],
])("%s is told so at the door", async (_who, why, wrong) => {
  const out = await leaving();
  const to = await back(server.signIn(out, employee(`x-${newId()}@empresa.example`), wrong));
  expect(new URL(to, HERE).searchParams.get("company")).toBe(why);
  expect(seen.tickets).toEqual([]);
});

test("a way back without the browser that left is stale", async () => {
  const out = await leaving();
  const query = server.signIn(out, employee((await aPerson()).email));
  seen.jar.clear();
  expect(new URL(await back(query), HERE).searchParams.get("company")).toBe("stale");
});

test("a company that does not answer leaves the person at the door, with their password", async () => {
  seen.company = { issuer: "http://127.0.0.1:9", clientId: "trilho", clientSecret: "x" };
  expect(await leaving()).toBe("/sign-in?company=unreachable&return=%2Fdashboard%2Flinks");
});

test("404: without a company both ways do not exist", async () => {
  seen.company = undefined;
  expect([await leaving(), await back("?code=x&state=y")]).toEqual(["404", "404"]);
});

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createFormatter, createTranslator } from "next-intl";
import { TOTP } from "otpauth";
import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { ACTIONS, type Opens, PAGES } from "@/app/(dashboard)/access.table";
import { systemDb, systemSql } from "@/db/client";
import { OPERATOR_ROLES } from "@/db/schema/operators";
import { env } from "@/lib/env";
import { flushRequestLog } from "@/lib/http/request-log";
import { messages } from "@/lib/i18n/messages";
import { newId } from "@/lib/ids";
import { SUGGESTIONS } from "@/lib/monitors/metrics";
import { createMonitor } from "@/lib/monitors/service";
import { createRole, listRoles, type RoleDraft } from "@/lib/operators/custom-roles";
import { may, OPTIONAL_RIGHTS, type RoleName } from "@/lib/operators/permissions";
import { type OperatorRole, revokeSession } from "@/lib/operators/sessions";
import { beginTotp, confirmTotp, enrolmentOf } from "@/lib/sign-in/totp";
import { openClient, type TestClient } from "@/lib/testing/api";
import { MAKERS } from "@/lib/testing/fuzz/world";
import { signedIn } from "@/lib/testing/people";
import { realNow } from "@/lib/time";

/** The request that pages and actions see: everything else of them is real. */
const request = vi.hoisted(() => ({ sessionId: undefined as string | undefined, origin: "", asked: "" }));

vi.mock("@/app/(auth)/auth", () => ({
  auth: async () => ({ sessionId: request.sessionId }),
  signIn: async () => undefined,
  signOut: async () => undefined,
}));
vi.mock("next/headers", () => ({
  headers: async () => new Headers({ origin: request.origin, host: "elsewhere", "x-trilho-asked": request.asked }),
  cookies: async () => ({ get: () => undefined, set: () => undefined }),
}));
vi.mock("next-intl/server", () => {
  const locale = "en" as const;
  return {
    getLocale: async () => locale,
    getFormatter: async () => createFormatter({ locale, timeZone: "UTC" }),
    getTimeZone: async () => "UTC",
    // Guarantee: the pages' own types hold their namespaces against the messages.
    getTranslations: async (namespace: never) => createTranslator({ locale, messages: messages[locale], namespace }),
  };
});
const ROOT = join(import.meta.dirname, "dashboard");

const files = readdirSync(ROOT, { recursive: true }).map(String).sort();
const sourceOf = (file: string) => readFileSync(join(ROOT, file), "utf8");
const isPage = (file: string) => /(^|\/)(page|route)\.tsx?$/.test(file);
const isAction = (file: string) => /\.ts$/.test(file) && /^"use server";/.test(sourceOf(file));
const pathOf = (file: string) => `/dashboard/${file}`.replace(/\/(page|route)\.tsx?$/, "");
const pages = files.filter(isPage).map((file) => ({ file, path: pathOf(file) }));
const actions = files.filter(isAction).flatMap((file) =>
  [...sourceOf(file).matchAll(/^export async function (\w+)/gm)].map((match) => ({
    file: file.replace(/\.ts$/, ""),
    name: match[1] ?? "",
  })),
);

const rightsOf = (opens: Opens) => (typeof opens === "string" ? [opens] : opens);
const isOpenTo = (role: OperatorRole, opens: Opens) =>
  opens === "own" ||
  opens === "member" ||
  // Guarantee: what is neither of the two words is a right or a list of them.
  rightsOf(opens).some((right) => may(role, right as Parameters<typeof may>[1]));

test("every page that a notice of the database leads to is there", () => {
  const told = readFileSync(join(import.meta.dirname, "../../db/policies/4-notices.sql"), "utf8");
  const led = [...told.matchAll(/'(\/dashboard[^']*)'/g)].map(([, path = ""]) => path);
  const isThere = (path: string) =>
    pages.some((page) => (path.endsWith("/") ? /^\[\w+\]$/.test(page.path.replace(path, "")) : page.path === path));
  expect(led.length).toBeGreaterThan(10);
  expect(led.filter((path) => !isThere(path))).toEqual([]);
});

test("every page and every action is in the table, and nothing else is", () => {
  expect(pages.map(({ path }) => path).sort()).toEqual(Object.keys(PAGES).sort());
  expect(actions.map(({ file, name }) => `${file} ${name}`).sort()).toEqual(
    Object.entries(ACTIONS)
      .flatMap(([file, names]) => Object.keys(names).map((name) => `${file} ${name}`))
      .sort(),
  );
});

/** Of roles of an account's own: one that may all that its origin may not, and one of which little is left. */
const OWN_ROLES = [
  { name: "viewer with more", origin: "viewer", rights: OPTIONAL_RIGHTS },
  { name: "operations with less", origin: "operations", rights: ["payments.see", "monitors.see", "keys.manage"] },
] as const satisfies readonly RoleDraft[];

/** A column of the table: somebody who is signed in, and what they hold. */
interface Person {
  name: string;
  role: OperatorRole;
  sessionId: string;
}

interface Shop {
  client: TestClient;
  people: readonly Person[];
  /** The session of the owner. */
  owner: string;
  /** One object for each page that shows one. */
  ids: Record<string, string>;
}

let shop: Shop;
let stranger: Shop;
/** A session that was ended, and all that the other account has. */
let stale: string;
let strangers: unknown;

async function staffOf(client: TestClient): Promise<Pick<Shop, "people" | "owner">> {
  const people: Person[] = [];
  for (const role of OPERATOR_ROLES) people.push({ name: role, role, sessionId: await joined(client, role) });
  const ctx = await client.context();
  for (const draft of OWN_ROLES) {
    const saved = await createRole(ctx, draft);
    const role = (await listRoles(ctx)).find(({ id }) => saved.kind === "saved" && id === saved.id);
    if (!role) throw new Error(`no role ${draft.name}`);
    people.push({ name: draft.name, role, sessionId: await joined(client, draft.origin, role.id) });
  }
  return { people, owner: people.find(({ role }) => role === "owner")?.sessionId ?? "" };
}

const joined = (client: TestClient, role: RoleName, customRoleId?: string): Promise<string> =>
  signedIn(client, role, async (operatorId) => {
    if (customRoleId)
      await systemSql()`update memberships set custom_role_id = ${customRoleId} where operator_id = ${operatorId}`;
  });

async function openShop(): Promise<Shop> {
  const client = await openClient();
  const staff = await staffOf(client);
  const newest = async (table: string): Promise<string> => {
    const [row] = await systemSql().unsafe<{ id: string }[]>(
      `select id from ${table} where client_id = $1 order by id desc limit 1`,
      [client.clientId],
    );
    return row?.id ?? "";
  };
  const flow = await MAKERS.flow(client);
  const ids = {
    "customers/[id]": await MAKERS.customer(client),
    "disputes/[id]": await disputeOf(client),
    "settings/alerts/[id]": await monitorOf(client),
    "developers/webhooks/deliveries/[id]": await MAKERS.delivery(client),
    "developers/webhooks/[id]": await MAKERS.webhook(client),
    "finance/ledger/[id]": await newest("journals"),
    "finance/statements/[id]": await statementOf(client),
    "flows/[id]": flow,
    "flows/[id]/compare": flow,
    "flows/[id]/edit": flow,
    "flows/[id]/replay": flow,
    "links/[id]": await MAKERS.session(client),
    "links/[id]/edit": await MAKERS.session(client),
    "merchants/[id]": await MAKERS.merchant(client),
    "payments/[id]": await MAKERS.charge(client),
    "payouts/batches/[id]": await MAKERS.paymentBatch(client),
    "payouts/prepayments/[id]": await MAKERS.prepayment(client),
    "reports/[id]": await MAKERS.report(client),
    "sellers/[id]": await MAKERS.seller(client),
    "sellers/plans/[id]": await newest("sale_plans"),
  };
  // The log is written a moment after its requests: nothing of it is still to come when the account is looked at.
  await flushRequestLog();
  return {
    client,
    ...staff,
    ids: {
      ...ids,
      "developers/requests/[id]": await newest("request_logs"),
      "audit/[id]": await newest("audit_log"),
    },
  };
}

const monitorOf = async (client: TestClient): Promise<string> =>
  createMonitor(await client.context(), "owner", {
    ...SUGGESTIONS.unknowns,
    name: "Unknowns",
    byEmail: false,
    byWebhook: false,
  });

async function statementOf(client: TestClient): Promise<string> {
  const id = newId();
  await systemSql()`
    insert into statement_files (id, client_id, merchant_id, provider_id, name, digest, content, verdicts, net, uploaded_by, created_at)
    select ${id}, client_id, merchant_id, id, 'a.csv', ${id}, 'x', '{}', 0, ${newId()}, now() from providers
     where client_id = ${client.clientId} limit 1`;
  return id;
}

async function disputeOf(client: TestClient): Promise<string> {
  const chargeId = await MAKERS.disputedCharge(client);
  const [row] = await systemSql()<{ id: string }[]>`
    select id from transaction_requests where charge_id = ${chargeId} and request_type = 'charge_back'`;
  return row?.id ?? "";
}

beforeAll(async () => {
  [shop, stranger] = [await openShop(), await openShop()];
  stale = await signedOut();
  strangers = await written(stranger);
});

beforeEach(() => {
  request.origin = env().BASE_URL;
});

/** What a page or an action came to: its answer, or the status that Next makes of what it threw. */
type Outcome =
  | { kind: "answered"; value: unknown }
  | { kind: "not_found" }
  | { kind: "forbidden" }
  | { kind: "redirect"; to: string };

async function outcomeOf(work: () => Promise<unknown>): Promise<Outcome> {
  try {
    const value = await work();
    if (value instanceof Response && (value.status === 404 || value.status === 401)) return { kind: "not_found" };
    if (value instanceof Response && value.status === 403) return { kind: "forbidden" };
    return { kind: "answered", value };
  } catch (thrown) {
    const digest = thrown instanceof Error && "digest" in thrown ? String(thrown.digest) : "";
    if (digest === "NEXT_HTTP_ERROR_FALLBACK;404") return { kind: "not_found" };
    if (digest.startsWith("NEXT_REDIRECT")) return { kind: "redirect", to: digest.split(";")[2] ?? "" };
    throw thrown;
  }
}

interface PageModule {
  default?: (props: object) => Promise<unknown>;
  GET?: (request: Request) => Promise<Response>;
}

async function visit(file: string, sessionId: string | undefined, id = newId()): Promise<Outcome> {
  request.sessionId = sessionId;
  request.asked = `${pathOf(file).replace(/\[\w+\]/, id)}?do=x`;
  // Guarantee: the files are pages and routes of Next.
  const page = (await import(/* @vite-ignore */ join(ROOT, file))) as PageModule;
  return outcomeOf(async () =>
    page.default
      ? page.default({ params: Promise.resolve({ id, purchaseId: id }), searchParams: Promise.resolve({}) })
      : page.GET?.(new Request(`http://localhost${pathOf(file)}?q=a&since=${encodeURIComponent("x")}`)),
  );
}

const objectOf = (file: string, { ids }: Shop) => ids[file.replace(/\/page\.tsx$/, "")];

describe.each(pages)("$path", ({ file, path }) => {
  const opens = PAGES[path] ?? "own";

  // The first to open a page loads all that it is made of: on a busy machine that takes a while.
  test("opens for the roles of the table and is unknown to the others", { timeout: 90_000 }, async () => {
    const id = objectOf(file, shop);
    const isListOrKnown = !file.includes("[") || id !== undefined;
    for (const { name, role, sessionId } of shop.people) {
      const outcome = await visit(file, sessionId, id);
      if (!isOpenTo(role, opens)) expect(outcome, name).toEqual({ kind: "not_found" });
      // One's own rows of the audit log: the row shown here is somebody else's.
      else if (isListOrKnown && (path !== "/dashboard/audit/[id]" || may(role, "audit.all")))
        expect(outcome.kind, name).not.toBe("not_found");
    }
  });

  test("is shown to nobody who is not signed in", async () => {
    for (const sessionId of [undefined, newId(), stale]) {
      const outcome = await visit(file, sessionId, objectOf(file, shop));
      if (outcome.kind === "redirect") expect(outcome.to).toMatch(/^\/sign-in\?return=.*%3Fdo%3Dx$/);
      else expect(outcome).toEqual({ kind: "not_found" });
    }
  });

  // Only where the address names an object.
  if (file.includes("["))
    test("shows nothing of another account", async () => {
      const id = objectOf(file, stranger) ?? newId();
      expect(await visit(file, shop.owner, id)).toEqual({ kind: "not_found" });
    });
});

async function signedOut(): Promise<string> {
  const sessionId = await signedIn(shop.client, "owner");
  await revokeSession(systemDb(), sessionId, realNow());
  return sessionId;
}

type Action = (...given: unknown[]) => Promise<unknown>;

async function act(
  file: string,
  name: string,
  sessionId: string | undefined,
  id = newId(),
  more: Record<string, string> = {},
): Promise<Outcome> {
  request.sessionId = sessionId;
  // Guarantee: found above as an exported function of this file.
  const module = (await import(/* @vite-ignore */ join(ROOT, `${file}.ts`))) as Record<string, Action>;
  const action = module[name] ?? (async () => undefined);
  const form = new FormData();
  const fields = {
    id,
    merchantId: id,
    webhookId: id,
    purchaseId: id,
    providerId: id,
    action: "capture",
    key: newId(),
    text: "x",
    ...more,
  };
  for (const [field, value] of Object.entries(fields)) form.set(field, value);
  const given = TAKES_FORM_ALONE.has(name) ? [form] : TAKES_IDS.has(name) ? [id, newId()] : [{}, form];
  return outcomeOf(() => action(...given));
}

const TAKES_FORM_ALONE = new Set(["takePictureAction", "planOfAmountAction"]);
const TAKES_IDS = new Set(["switchAccountAction", "recheckItemAction"]);

/** Everything an account has, and everything about its people, as numbers that only move when something is written. */
async function written({ client }: Shop): Promise<unknown> {
  const tables = await systemSql()<{ name: string }[]>`
    select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and n.nspname = 'public' and exists (
       select from pg_attribute a where a.attrelid = c.oid and a.attname = 'client_id' and not a.attisdropped)
     order by 1`;
  const counts = tables.map(
    ({ name }) => `(select coalesce(sum(('x' || substr(md5(t::text), 1, 8))::bit(32)::bigint), 0) from ${name} t
                    where client_id = '${client.clientId}')`,
  );
  const [row] = await systemSql().unsafe(`select array[${counts.join(", ")}]::text[] as rows`);
  return row?.rows;
}

const PROBLEM = expect.objectContaining({ problem: expect.any(String) });
const isRefused = (outcome: Outcome): boolean =>
  outcome.kind === "not_found" ||
  (outcome.kind === "redirect" && outcome.to.startsWith("/sign-in")) ||
  (outcome.kind === "answered" &&
    (outcome.value === undefined || outcome.value === "failed" || PROBLEM.asymmetricMatch(outcome.value)));

describe.each(actions)("$file $name", ({ file, name }) => {
  const opens = ACTIONS[file]?.[name] ?? "own";

  test("is refused to roles that may not, to a foreign page, to an ended session and to nobody, and writes nothing", async () => {
    const before = await written(shop);
    const denied = shop.people.filter(({ role }) => !isOpenTo(role, opens)).map(({ sessionId }) => sessionId);
    for (const sessionId of [...denied, undefined, newId(), stale])
      expect(isRefused(await act(file, name, sessionId))).toBe(true);
    for (const origin of ["https://evil.example", "null", ""]) {
      request.origin = origin;
      expect(isRefused(await act(file, name, shop.owner)), origin).toBe(true);
    }
    expect(await written(shop)).toEqual(before);
  });

  // What opens to somebody's own things alone names nobody else's.
  if (opens !== "own")
    test("changes nothing of another account", async () => {
      for (const id of new Set(Object.values(stranger.ids))) {
        await act(file, name, shop.owner, id).catch(() => undefined);
      }
      expect(await written(stranger)).toEqual(strangers);
    });
});

test("a new link is shared among sellers only by somebody who sees sellers", async () => {
  const [link] = await systemSql()<{ merchantId: string }[]>`
    select merchant_id as "merchantId" from sessions where id = ${shop.ids["links/[id]"] ?? ""}`;
  const split = { "split.seller": newId(), "split.percentage": "10" };
  const terms = { name: "A link", amount: "10.00", methods: "pix", payments: "once", ...link, ...split };
  const made = async (who: RoleName) => {
    const person = shop.people.find(({ name }) => name === who);
    return (await act("links/actions", "createLinkAction", person?.sessionId, newId(), terms)).kind;
  };
  // No such seller: told to whom the split was read of.
  expect([await made("owner"), await made("support")]).toEqual(["answered", "redirect"]);
});

describe("on a live account", () => {
  const FACTOR_PAGE = "/dashboard/settings/security";
  let client: TestClient;
  let staff: Awaited<ReturnType<typeof staffOf>>;
  beforeAll(async () => {
    client = await openClient({ mode: "live" });
    staff = await staffOf(client);
  });

  test.each(pages)("$path shows nothing without a second factor", { timeout: 90_000 }, async ({ file, path }) => {
    for (const { name, sessionId } of staff.people) {
      const outcome = await visit(file, sessionId);
      if (path === FACTOR_PAGE) expect(outcome.kind, name).toBe("answered");
      else if (file.includes("route.")) expect(outcome, name).toEqual({ kind: "forbidden" });
      else expect(outcome, name).toEqual({ kind: "redirect", to: FACTOR_PAGE });
    }
  });

  test("opens to somebody whose company asked for a factor, and for that session alone", async () => {
    const isOpen = async () => (await visit("developers/keys/page.tsx", staff.owner)).kind === "answered";
    await systemSql()`update operator_sessions set by_company_factor = true where id = ${staff.owner}`;
    expect(await isOpen()).toBe(true);
    await systemSql()`update operator_sessions set by_company_factor = false where id = ${staff.owner}`;
    expect(await isOpen()).toBe(false);
  });

  test("nothing is done without a second factor, and with one it is", async () => {
    const before = await written({ client, ...staff, ids: {} });
    const refused = actions.filter(
      ({ file }) => file !== "actions" && !/^settings\/security\/(actions|passkey-actions)$/.test(file),
    );
    for (const { file, name } of refused) {
      expect(isRefused(await act(file, name, staff.owner)), `${file} ${name}`).toBe(true);
    }
    expect(await written({ client, ...staff, ids: {} })).toEqual(before);
    const [owner] = await systemSql()<{ id: string; email: string }[]>`
      select o.id, o.email from operators o join operator_sessions s on s.operator_id = o.id where s.id = ${staff.owner}`;
    if (!owner) throw new Error("no owner");
    await beginTotp(systemDb(), owner, realNow());
    const secret = (await enrolmentOf(systemDb(), owner))?.secret ?? "";
    await confirmTotp(systemDb(), { operatorId: owner.id, address: null }, new TOTP({ secret }).generate(), realNow());
    const named = { name: "ERP", access: "all" };
    expect(await act("developers/keys/actions", "createSecretKeyAction", staff.owner, newId(), named)).toMatchObject({
      kind: "answered",
      value: { secret: { value: expect.stringMatching(/^sk_live_/) } },
    });
    for (const file of ["page.tsx", "payments/page.tsx", "search/route.ts", "audit/export/route.ts"])
      expect((await visit(file, staff.owner)).kind, file).toBe("answered");
  });
});

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { createFormatter, createTranslator } from "next-intl";
import { isValidElement } from "react";
import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { ACTIONS, PAGES } from "@/app/(dashboard)/access.table";
import { systemDb, systemSql } from "@/db/client";
import { memberships } from "@/db/schema/operators";
import { sqlState } from "@/lib/context";
import { env } from "@/lib/env";
import { messages } from "@/lib/i18n/messages";
import { newId } from "@/lib/ids";
import { holdPayouts } from "@/lib/payouts/holds";
import { openClient, type TestClient } from "@/lib/testing/api";
import { MAKERS, payingMerchant, reviewPlace } from "@/lib/testing/fuzz/world";
import { signedIn } from "@/lib/testing/people";

/** The request that pages and actions see: everything else of them is real. */
const request = vi.hoisted(() => ({ sessionId: undefined as string | undefined, origin: "" }));

vi.mock("@/app/(auth)/auth", () => ({
  auth: async () => ({ sessionId: request.sessionId }),
  signIn: async () => undefined,
  signOut: async () => undefined,
}));
vi.mock("next/headers", () => ({
  headers: async () => new Headers({ origin: request.origin, host: "elsewhere" }),
  cookies: async () => ({ get: () => undefined, set: () => undefined }),
}));
vi.mock("next/cache", () => ({ revalidatePath: () => undefined }));
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

interface Side {
  merchantId: string;
  name: string;
  charge: string;
  held: string;
  order: string;
  dispute: string;
  purchase: string;
  link: string;
  linkName: string;
  customer: string;
  seller: string;
  review: string;
  statement: string;
}

let client: TestClient;
let inside: Side;
let outside: Side;
let limited: string;
let whole: string;

/** The same account once more: the makers work for a merchant of their own, whose things have names of their own. */
async function aSide(name: string): Promise<Side> {
  const own = { ...client };
  const merchantId = await payingMerchant(own);
  await client.make("PATCH", `/v1/merchants/${merchantId}`, { body: { name } });
  const order = `order-${name}`;
  const charge = await MAKERS.disputedCharge(own);
  const pix = await MAKERS.paidPixCharge(own);
  const [held, purchase, link] = [await MAKERS.heldCharge(own), await MAKERS.purchase(own), await MAKERS.session(own)];
  const linkName = `link-${name}`;
  await systemSql()`update charges set order_id = ${order} where merchant_id = ${merchantId}`;
  await systemSql()`update sessions set order_id = ${order}, name = ${linkName} where id = ${link}`;
  await systemSql()`update charges set review_reason = 'no_answer', review_since = now() where id = ${held}`;
  const [bought] = await systemSql()<{ id: string }[]>`
    update customers set name = ${`buyer ${name}`}, email = ${`${name}@buyers.example`}, document_number = ${`doc-${name}`}
     where id = (select coalesce(customer_id, source_customer_id) from charges where id = ${pix}) returning id`;
  const [disputed] = await systemSql()<{ id: string }[]>`
    select id from transaction_requests where charge_id = ${charge} and request_type = 'charge_back'`;
  const { params: asked } = await reviewPlace(own);
  await holdPayouts(await client.context(), asked.id ?? "", `held ${name}`);
  const statement = newId();
  await systemSql()`
    insert into statement_files (id, client_id, merchant_id, provider_id, name, digest, content, verdicts, net, uploaded_by, created_at)
    select ${statement}, client_id, merchant_id, id, ${`${name}.csv`}, ${statement}, 'x', '{"new": 1}', 1, ${newId()}, now()
      from providers where merchant_id = ${merchantId} limit 1`;
  return {
    ...{ merchantId, name, charge, held, order, purchase, link, linkName, statement },
    review: asked.reviewId ?? "",
    dispute: disputed?.id ?? "",
    customer: bought?.id ?? "",
    seller: asked.id ?? "",
  };
}

const member = (role: "operations" | "owner", merchantIds: string[] | null): Promise<string> =>
  signedIn(client, role, async (operatorId) => {
    if (!merchantIds) return;
    await systemDb().update(memberships).set({ merchantIds }).where(eq(memberships.operatorId, operatorId));
  });

beforeAll(async () => {
  client = await openClient();
  inside = await aSide(`dentro-${newId().slice(-6)}`);
  outside = await aSide(`fora-${newId().slice(-6)}`);
  limited = await member("operations", [inside.merchantId]);
  whole = await member("owner", null);
});

beforeEach(() => {
  request.origin = env().BASE_URL;
  // React complains of each part that was tried without a browser.
  vi.spyOn(console, "error").mockImplementation(() => undefined);
});

/** All the words a page sends to the browser: of elements made here, and what is handed to those made there. */
async function wordsOf(node: unknown, seen = new Set<unknown>()): Promise<string> {
  if (node instanceof Response) return node.text();
  if (typeof node === "string" || typeof node === "number") return String(node);
  if (typeof node !== "object" || node === null || seen.has(node)) return "";
  seen.add(node);
  if (node instanceof Promise) return wordsOf(await node, seen);
  if (!isValidElement<Record<string, unknown>>(node))
    return (await Promise.all(Object.values(node).map((each) => wordsOf(each, seen)))).join(" ");
  const given = await Promise.all(Object.values(node.props).map((each) => wordsOf(each, seen)));
  return [...given, await made(node.type, node.props, seen)].join(" ");
}

/** What needs a browser cannot be made here: what it is given is all that is sent of it. */
async function made(type: unknown, props: object, seen: Set<unknown>): Promise<string> {
  if (typeof type !== "function") return "";
  try {
    return await wordsOf(await type(props), seen);
  } catch (thrown) {
    if (sqlState(thrown)) throw thrown;
    return "";
  }
}

interface PageModule {
  default?: (props: object) => Promise<unknown>;
  GET?: (request: Request) => Promise<Response>;
}

async function shown(
  file: string,
  sessionId: string,
  id: string,
  asked: Record<string, string> = {},
): Promise<string | undefined> {
  request.sessionId = sessionId;
  // Guarantee: the files are pages and routes of Next.
  const page = (await import(/* @vite-ignore */ join(ROOT, file))) as PageModule;
  const address = `http://localhost/?${new URLSearchParams(asked)}`;
  try {
    const node = page.default
      ? await page.default({ params: Promise.resolve({ id, purchaseId: id }), searchParams: Promise.resolve(asked) })
      : await page.GET?.(new Request(address));
    if (node instanceof Response && node.status === 404) return undefined;
    return await wordsOf(node);
  } catch (thrown) {
    const digest = thrown instanceof Error && "digest" in thrown ? String(thrown.digest) : "";
    if (digest === "NEXT_HTTP_ERROR_FALLBACK;404") return undefined;
    if (digest.startsWith("NEXT_REDIRECT")) return "";
    throw thrown;
  }
}

const files = readdirSync(ROOT, { recursive: true }).map(String).sort();
const pages = files.filter((file) => /(^|\/)(page|route)\.tsx?$/.test(file));
const pathOf = (file: string) => `/dashboard/${file}`.replace(/\/(page|route)\.tsx?$/, "").replace(/\/$/, "");
const actions = files
  .filter((file) => /\.ts$/.test(file) && /^"use server";/.test(readFileSync(join(ROOT, file), "utf8")))
  .map((file) => file.replace(/\.ts$/, ""));

/** Whatever names the other merchant or something of it. */
const leaksIn = (words: string): string[] => Object.values(outside).filter((mark) => words.includes(mark));

/** What a page with an object of its own can be asked for, on either side. */
const OBJECTS: Record<string, (side: Side) => string> = {
  "/dashboard/payments/[id]": ({ charge }) => charge,
  "/dashboard/reviews/[purchaseId]": ({ purchase }) => purchase,
  "/dashboard/links/[id]": ({ link }) => link,
  "/dashboard/links/[id]/edit": ({ link }) => link,
  "/dashboard/customers/[id]": ({ customer }) => customer,
  "/dashboard/merchants/[id]": ({ merchantId }) => merchantId,
  "/dashboard/disputes/[id]": ({ dispute }) => dispute,
  "/dashboard/sellers/[id]": ({ seller }) => seller,
};

/** Questions that name the other merchant's things. */
const QUESTIONS = (side: Side): Record<string, string>[] => [
  {},
  { q: side.order },
  { q: side.charge },
  { q: `${side.name}@buyers.example` },
  { q: side.name, kind: "customer" },
  { merchant: side.merchantId },
  { customer: side.customer, search: side.order },
  { like: side.link },
  { do: "refund", why: "approval" },
];

describe("somebody limited to one merchant", () => {
  test.each(pages)("is shown nothing of another on %s, whatever they ask it", async (file) => {
    for (const asked of QUESTIONS(outside)) {
      const words = await shown(file, limited, newId(), asked);
      // What was typed is given back: only what the page knows beside it tells anything.
      const typed = new Set(Object.values(asked));
      expect(leaksIn(words ?? "").filter((mark) => ![...typed].some((text) => text.includes(mark)))).toEqual([]);
    }
    const objectOf = OBJECTS[pathOf(file)];
    if (file.includes("[") && objectOf) {
      const others = new Set([objectOf(outside), outside.charge, outside.held, outside.purchase]);
      for (const id of others) expect(await shown(file, limited, id), id).toBeUndefined();
    }
  });

  test("finds their own, where somebody who knows every merchant finds both", async () => {
    for (const [path, objectOf] of Object.entries(OBJECTS)) {
      if (path.includes("reviews")) continue;
      const file = pages.find((each) => pathOf(each) === path) ?? "";
      expect(await shown(file, limited, objectOf(inside)), path).toEqual(expect.any(String));
      expect(await shown(file, whole, objectOf(outside)), path).toEqual(expect.any(String));
    }
    for (const [file, mark] of [
      ["payments/page.tsx", "order"],
      ["links/page.tsx", "linkName"],
      ["customers/page.tsx", "customer"],
      ["merchants/page.tsx", "name"],
      ["disputes/page.tsx", "dispute"],
      ["reviews/page.tsx", "held"],
      ["reviews/export/route.ts", "held"],
      ["sellers/page.tsx", "seller"],
      ["finance/statements/export/route.ts", "statement"],
      ["payouts/holds/export/route.ts", "seller"],
      ["sellers/reviews/export/route.ts", "review"],
    ] as const) {
      expect(await shown(file, limited, ""), file).toContain(inside[mark]);
      expect(await shown(file, whole, ""), file).toContain(outside[mark]);
    }
    const found = (q: string, who: string) => shown("search/route.ts", who, "", { q });
    expect(await found(inside.order, limited)).toContain(inside.charge);
    expect(await found(outside.order, whole)).toContain(outside.charge);
  });

  test("takes along the plans and vendors of the account, with how many of their own sellers pay by each", async () => {
    const sellersIn = (text = "") => text.split("\r\n").flatMap((line) => Number(line.split(",").at(-2)) || []);
    const plans = (who: string) => shown("sellers/plans/export/route.ts", who, "");
    expect(sellersIn(await plans(limited))).toEqual([1]);
    expect(sellersIn(await plans(whole))).toEqual([2]);
  });

  test("meets no page that tells of the whole account", async () => {
    const absent = ["audit", "developers/keys", "developers/webhooks", "developers/requests", "proof", "settings/team"];
    for (const path of [...absent, "settings/brand", "settings/protection", "developers/sandbox"])
      expect(await shown(`${path}/page.tsx`, limited, ""), path).toBeUndefined();
  });
});

const TAKES_IDS = new Set(["switchAccountAction", "recheckItemAction"]);
const TAKES_FORM_ALONE = new Set(["takePictureAction"]);

async function act(file: string, name: string, fields: Record<string, string>): Promise<unknown> {
  request.sessionId = limited;
  // Guarantee: the file's own exported functions.
  const module = (await import(/* @vite-ignore */ join(ROOT, `${file}.ts`))) as Record<
    string,
    (...given: unknown[]) => Promise<unknown>
  >;
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.set(field, value);
  const given = TAKES_FORM_ALONE.has(name) ? [form] : TAKES_IDS.has(name) ? [fields.id, newId()] : [{}, form];
  return module[name]?.(...given);
}

/** Everything of a merchant, as one number that only moves when something is written. */
async function written({ merchantId }: Side): Promise<unknown> {
  const [row] = await systemSql()`
    with c as (select * from charges where merchant_id = ${merchantId})
    select (select md5(string_agg(c::text, ',' order by id)) from c) as charges,
           (select md5(string_agg(p::text, ',' order by id)) from purchases p where merchant_id = ${merchantId}) as purchases,
           (select md5(string_agg(s::text, ',' order by id)) from sessions s where merchant_id = ${merchantId}) as links,
           (select md5(string_agg(m::text, ',' order by id)) from merchants m where id = ${merchantId}) as merchants,
           (select md5(string_agg(l::text, ',' order by id)) from sellers l where merchant_id = ${merchantId}) as sellers,
           (select count(*) from transaction_requests where charge_id in (select id from c)) as attempts,
           (select count(*) from dispute_notes where charge_id in (select id from c)) as notes,
           (select count(*) from review_takes) as takes,
           (select count(*) from audit_log a where a.client_id = ${client.clientId} and a.action not like 'view.%'
             and a.action not like 'operator.%') as audited`;
  return row;
}

const NAMED: Readonly<Record<string, readonly string[]>> = ACTIONS_BY_FILE();
function ACTIONS_BY_FILE() {
  return Object.fromEntries(Object.entries(ACTIONS).map(([file, names]) => [file, Object.keys(names)]));
}

test("every action is looked at, and every page", () => {
  expect(actions.sort()).toEqual(Object.keys(ACTIONS).sort());
  expect(pages.map(pathOf).sort()).toEqual(Object.keys(PAGES).sort());
});

describe.each(actions.filter((file) => !file.startsWith("settings/") && file !== "actions"))("%s", (file) => {
  test("changes nothing of another merchant", async () => {
    const before = await written(outside);
    const { charge, held, purchase, link, merchantId, dispute, customer, seller } = outside;
    for (const name of NAMED[file] ?? []) {
      for (const id of [charge, held, purchase, link, merchantId, dispute, customer, seller]) {
        for (const action of file.startsWith("payments/") ? ["refund", "capture", "recheck"] : ["any"]) {
          const fields = { id, merchantId, webhookId: id, purchaseId: id, action, key: newId(), plan: "any" };
          const more = { text: "a note", reason: "a reason", hours: "1", how: "off", isActive: "no", amount: "10.00" };
          const terms = { name: "A link", methods: "pix", payments: "once", like: link, request: newId() };
          await act(file, name, { ...terms, ...more, ...fields }).catch(() => undefined);
        }
      }
    }
    expect(await written(outside)).toEqual(before);
  });
});

describe("what they may do to their own merchant's things", () => {
  test("is done: a refund, a link made, changed and canceled, a note beside a chargeback", async () => {
    const redirected = async (work: Promise<unknown>): Promise<string> =>
      work.then(
        (answer) => JSON.stringify(answer),
        (thrown: { digest?: string }) => thrown.digest ?? String(thrown),
      );
    const own = { ...client };
    const [payment] = await systemSql()<{ id: string; status: string }[]>`
      select id, status from charges where merchant_id = ${inside.merchantId} and status = 'authorized'
         and payment_type = 'pix' limit 1`;
    const { standingHash: planOf } = await import("@/lib/charges/operator-actions");
    const { getCharge } = await import("@/lib/charges/queries");
    const { inTransaction } = await import("@/lib/context");
    const { row } = await inTransaction(await own.context(), (ctx) => getCharge(ctx, payment?.id ?? ""));
    const refund = {
      id: row.id,
      action: "refund",
      amount: "1.00",
      reason: "the buyer asked",
      key: newId(),
      plan: planOf(row),
    };
    expect(await redirected(act("payments/[id]/actions", "actOnPaymentAction", refund))).toContain("done=refund");
    const link = { name: "Mine", amount: "10.00", methods: "pix", payments: "once", merchantId: inside.merchantId };
    const made = await redirected(act("links/actions", "createLinkAction", link));
    expect(made).toContain("done=created");
    const id = /links\/([0-9a-f-]{36})/.exec(made)?.[1] ?? "";
    expect(await redirected(act("links/actions", "turnLinkAction", { id, how: "off" }))).toContain("done=off");
    expect(await redirected(act("links/actions", "cancelLinkAction", { id }))).toContain("done=canceled");
    const note = { id: inside.dispute, text: "Proof of delivery sent." };
    expect(await redirected(act("disputes/actions", "addNoteAction", note))).toContain("done=noted");
    const flow = { name: "Mine", method: "credit", merchants: inside.merchantId, start: "empty" };
    const large = act("flows/actions", "createFlowAction", { ...flow, start: "large" });
    expect(await large).toMatchObject({ problems: { start: expect.stringMatching(/at least 2 .* have only 1\.$/) } });
    const drafted = await redirected(act("flows/actions", "createFlowAction", flow));
    const flowId = /flows\/([0-9a-f-]{36})\/edit/.exec(drafted)?.[1] ?? "";
    const activated = { id: flowId, version: "1.0.0" };
    expect(await redirected(act("flows/actions", "activateFlowAction", activated))).toContain("done=activated");
    const view = { name: "Mine", query: "status=authorized" };
    expect(await redirected(act("payments/view-actions", "saveViewAction", view))).toContain("/dashboard/payments");
  });

  test("is told what a change would mean, also where a flow of another merchant decides now", async () => {
    const body = { name: "Cards", paymentMethod: "credit", flow: { root: [] } };
    const both = [inside, outside].map(({ merchantId }) => ({ merchantId }));
    await client.make("POST", "/v1/flows", { body: { ...body, merchants: both, status: "active" } });
    const draft = await client.make("POST", "/v1/flows", { body: { ...body, merchantId: inside.merchantId } });
    const [provider] = await systemSql()`select id from providers where merchant_id = ${inside.merchantId} limit 1`;
    const pause = { do: "pause", provider: provider?.id };
    expect(await shown("flows/page.tsx", limited, "", pause)).toContain("Pause now");
    const activation = await shown("flows/[id]/page.tsx", limited, draft.id, { do: "activate" });
    expect(activation).toContain("It starts deciding new");
  });
});

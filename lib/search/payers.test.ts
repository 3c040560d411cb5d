import { beforeAll, describe, expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { paymentOverview } from "@/lib/charges/overview";
import { attemptKeyFor } from "@/lib/checkout/checkout-attempts";
import { press } from "@/lib/checkout/pay";
import type { MethodKind } from "@/lib/checkout/view";
import { newVisit, signAttempt } from "@/lib/checkout/visit";
import { newId } from "@/lib/ids";
import type { OperatorRole } from "@/lib/operators/sessions";
import { purchaseOverview } from "@/lib/purchases/overview";
import { searchEverything } from "@/lib/search/everything";
import { type ListFilters, listPayments } from "@/lib/search/payments";
import { openSession as openLink } from "@/lib/sessions/open";
import { openClient } from "@/lib/testing/api";
import { payByCard, type Shop, withMerchant } from "@/lib/testing/payments";
import { work } from "@/lib/testing/purchases";
import { newSession, type SessionReply } from "@/lib/testing/sessions";

const CARD = { cardHolderName: "ANA SOUZA", cardExpiration: "12/39", cardCvv: "123", installments: "1" };
const EMAIL = "ana.do.link@example.com";
const DOCUMENT = "12345678909";
const OTHERS = "52998224725";

let shop: Shop;
let single: string;
let several: string;

async function pay(method: MethodKind, given: (amount: number) => Record<string, string>): Promise<string> {
  const { body } = await shop.client.call<SessionReply>("POST", "/v1/sessions", { body: newSession(shop) });
  const opened = await openLink(body.id, { requestId: newId(), ip: "203.0.113.7" });
  if (!opened) throw new Error("the link does not open");
  const attempt = signAttempt(opened.session.id, attemptKeyFor(opened.session.id, newVisit(), method, 0));
  const pressed = await press({
    opened,
    method,
    form: new Map(
      Object.entries({ document: DOCUMENT, captcha: "sandbox-ok", ...given(opened.session.amount), attempt }),
    ),
    ip: "203.0.113.7",
    headers: { accept: "text/html", language: "pt-BR", userAgent: "Mozilla/5.0" },
    locale: "pt-BR",
    shopPage: null,
  });
  if (pressed.kind !== "payment") throw new Error(JSON.stringify(pressed));
  return pressed.id;
}

const inReais = (cents: number): string => (cents / 100).toFixed(2).replace(".", ",");

beforeAll(async () => {
  shop = await withMerchant(await openClient());
  await payByCard(shop);
  single = await pay("card", () => ({ ...CARD, cardNumber: "4111220000000002", email: EMAIL }));
  const card = (index: number, cardNumber: string, cents: number) =>
    Object.fromEntries(
      Object.entries({ ...CARD, cardNumber, amount: inReais(cents) }).map(([name, value]) => [
        `${name}${index}`,
        value,
      ]),
    );
  several = await pay("cards", (amount) => ({
    ...card(0, "4111220000000002", 1_000),
    ...card(1, "5200000000000007", amount - 1_000),
    count: "2",
    email: "dois.cartoes@example.com",
    document1: OTHERS,
  }));
  await work(shop.client);
});

const ids = async (filters: ListFilters, role: OperatorRole = "owner", client = shop.client) =>
  (await listPayments(await client.context(), role, filters)).items.map(({ id }) => id);

describe("who pays by card on a link", () => {
  test("is shown with what they typed, and as much of it as a role may see", async () => {
    const ctx = await shop.client.context();
    expect((await paymentOverview(ctx, "owner", single)).payer).toEqual({
      email: EMAIL,
      document: DOCUMENT,
      isMasked: false,
    });
    expect((await paymentOverview(ctx, "viewer", single)).payer).toEqual({
      email: "a•••@example.com",
      document: "•••09",
      isMasked: true,
    });
    const lanes = (await purchaseOverview(ctx, "owner", several)).lanes.map(({ payment }) => payment?.payer);
    expect(lanes).toMatchObject([
      { email: "dois.cartoes@example.com", document: DOCUMENT },
      { email: "dois.cartoes@example.com", document: OTHERS },
    ]);
  });

  test.each<[string, () => string[]]>([
    [EMAIL, () => [single]],
    ["Ana.do.Link@Example.com", () => [single]],
    ["dois.cartoes@example.com", () => [several]],
    [DOCUMENT, () => [several, single]],
    ["123.456.789-09", () => [several, single]],
    ["529.982.247-25", () => [several]],
    ["111.444.777-35", () => []],
    ["ana.do@example.com", () => []],
  ])("is found by %s, in the list, by its filter and in the box", async (typed, wanted) => {
    expect(await ids({ search: typed })).toEqual(wanted());
    expect(await ids({ buyer: typed })).toEqual(wanted());
    const { payments } = await searchEverything(await shop.client.context(), "owner", typed);
    expect(payments.map(({ id }) => id)).toEqual(wanted());
  });

  test("is found by nobody who sees buyers masked, and by no other account", async () => {
    const other = await openClient();
    for (const typed of [EMAIL, DOCUMENT]) {
      expect(await ids({ search: typed }, "viewer")).toEqual([]);
      expect(await ids({ buyer: typed }, "viewer")).toEqual([]);
      expect(await ids({ search: typed }, "owner", other)).toEqual([]);
    }
  });
});

/** However small the tables are here: the planner takes these where it may not read a whole table. */
test.each([
  ["payment_buyers_email", "select payment_id from payment_buyers where client_id = $1 and email = 'a@example.com'"],
  ["checkout_attempts_buyer", "select charge_id from checkout_attempts where client_id = $1 and buyer = '\\x00'"],
  [
    "purchase_payments_holder",
    `select purchase_id from purchase_payments where client_id = $1 and holder is not null
        and holder #>> '{document,number}' = '1'`,
  ],
])("they are found by %s", async (index, query) => {
  const plan = await systemSql().begin(async (tx) => {
    await tx`set local enable_seqscan = off`;
    return tx.unsafe<{ "QUERY PLAN": string }[]>(`explain ${query.replace("$1", `'${shop.client.clientId}'`)}`);
  });
  expect(plan.map((row) => row["QUERY PLAN"]).join("\n")).toContain(index);
});

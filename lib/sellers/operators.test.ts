import { describe, expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { addDays, saoPauloDay } from "@/lib/brazil/bank-calendar";
import { inTransaction } from "@/lib/context";
import { attentionOf } from "@/lib/insights/attention";
import { SamePerson } from "@/lib/operators/second-person";
import { simulateSale } from "@/lib/receivables/simulate";
import {
  addRate,
  changeTerms,
  createPlan,
  makeDefault,
  retireRate,
  switchPlan,
} from "@/lib/sale-plans/operator-service";

import { shownRates } from "@/lib/sale-plans/rates";
import { salePlanAt } from "@/lib/sale-plans/service";
import { sellersLike } from "@/lib/search/sellers";
import { changedMembers, endAccountChange, proposeAccount } from "@/lib/sellers/account-changes";
import { lookAt } from "@/lib/sellers/look";
import { listSellersForOperator, openReviews, sellerOverview } from "@/lib/sellers/operator-queries";
import { eraseDocuments } from "@/lib/sellers/retention";
import { openClient, type TestClient } from "@/lib/testing/api";
import type { List } from "@/lib/testing/api-client";
import { withMerchant } from "@/lib/testing/payments";
import { openPastNoon } from "@/lib/testing/payouts";
import { person } from "@/lib/testing/people";
import {
  afterDelay,
  aPicture,
  newSeller,
  openSellers,
  type SellerReply,
  uploadedDocument,
} from "@/lib/testing/sellers";

const noticesOf = async (client: TestClient): Promise<string[]> =>
  (
    await systemSql()<{ kind: string }[]>`
    select kind from notices where client_id = ${client.clientId} and path like '/dashboard/sellers/%' order by created_at, id`
  ).map(({ kind }) => kind);
const advance = (client: TestClient, by: string) => client.make("POST", "/v1/sandbox/clock", { body: { advance: by } });

describe("a seller's bank account, changed in the dashboard", () => {
  const account = { accountNumber: "998877" };

  test("is changed at once while nobody else could confirm, and else by a second person alone", async () => {
    const { client, merchant } = await withMerchant(await openClient());
    const [id = ""] = await openSellers(client, merchant.id, 1);
    const first = await person(client, "owner");
    expect(await proposeAccount(first, id, { accountNumber: "111222" })).toBe("changed");
    const second = await person(client, "finance");
    expect(await proposeAccount(first, id, account)).toBe("proposed");
    const numberOf = async () => (await sellerOverview(second, "finance", id)).seller.row.bankAccount.accountNumber;
    expect(await numberOf()).toBe("111222");
    expect(await attentionOf(second, "finance")).toMatchObject([{ kind: "seller_accounts", count: 1 }]);
    const change = (await sellerOverview(second, "finance", id)).accountChange?.id ?? "";
    await expect(endAccountChange(first, id, change, "confirmed")).rejects.toBeInstanceOf(SamePerson);
    await endAccountChange(second, id, change, "confirmed");
    await expect(endAccountChange(second, id, change, "confirmed")).rejects.toMatchObject({ status: 404 });
    expect(await numberOf()).toBe("998877");
    const { row } = (await sellerOverview(second, "finance", id)).seller;
    expect(row.transfersHeldUntil?.getTime()).toBeGreaterThan(Date.now());
    expect(await noticesOf(client)).toEqual(["bank_account_changed", "bank_account_waiting", "bank_account_changed"]);
    const [last] = await systemSql()`
      select action, second_actor from audit_log where client_id = ${client.clientId} order by id desc limit 1`;
    expect(last).toMatchObject({ action: "seller.bank_account", second_actor: expect.stringMatching(/^operator:/) });
  });

  test("keeps nothing of the account before it: neither its bank nor the Pix key that would be paid", async () => {
    const { client, merchant } = await withMerchant(await openClient());
    const [id = ""] = await openSellers(client, merchant.id, 1);
    const former = { ispb: "60701190", pixKey: "ana@example.com", branchCheckDigit: "9" };
    const give = () => client.make("PATCH", `/v1/sellers/${id}`, { body: { bankAccount: former } });
    const asked = { bank: "001", accountNumber: "111222" };
    const kept = { ispb: undefined, pixKey: undefined, branchCheckDigit: undefined };
    await give();
    const first = await person(client, "owner");
    const overview = () => sellerOverview(first, "owner", id);
    expect(await proposeAccount(first, id, asked)).toBe("changed");
    expect({ ...kept, ...(await overview()).seller.row.bankAccount }).toMatchObject({ ...asked, ...kept });
    await give();
    const second = await person(client, "finance");
    expect(await proposeAccount(first, id, asked)).toBe("proposed");
    const { accountChange, seller } = await overview();
    if (!accountChange) throw new Error("the change was not kept");
    expect(changedMembers(seller.row.bankAccount, accountChange.bankAccount)).toEqual([
      { member: "bank", value: "001" },
      { member: "branchCheckDigit", value: undefined },
      { member: "pixKey", value: undefined },
    ]);
    await endAccountChange(second, id, accountChange.id, "confirmed");
    expect({ ...kept, ...(await overview()).seller.row.bankAccount }).toMatchObject({ ...asked, ...kept });
    await give();
    const byCode = { bankAccount: { bank: "001" } };
    expect(await client.make("PATCH", `/v1/sellers/${id}`, { body: byCode })).toMatchObject({
      bankAccount: { bank: "001", ispb: "00000000", pixKey: former.pixKey },
    });
  });

  test("is refused where its holder is somebody else, and thrown away when it is refused", async () => {
    const { client, merchant } = await withMerchant(await openClient());
    const [id = ""] = await openSellers(client, merchant.id, 1);
    const [first, second] = [await person(client, "owner"), await person(client, "finance")];
    const stranger = { holderDocument: "52998224725" };
    await expect(proposeAccount(first, id, stranger)).rejects.toMatchObject({ status: 400 });
    await proposeAccount(first, id, account);
    const change = (await sellerOverview(second, "finance", id)).accountChange?.id ?? "";
    await endAccountChange(first, id, change, "refused");
    expect((await sellerOverview(second, "finance", id)).accountChange).toBeUndefined();
  });
});

test("a review that wants more: reminded of, sent back, and told of at its end", async () => {
  const { client, merchant } = await withMerchant(await openPastNoon());
  const [id = ""] = await openSellers(client, merchant.id, 1);
  const path = `/v1/sellers/${id}/registration-reviews`;
  const body = { requestedFields: ["owner.address"], reason: "more" };
  const opened = await client.make<{ id: string; deadline: string }>("POST", path, { body });
  await advance(client, "P8DT1H");
  expect(await noticesOf(client)).toEqual(["review_due", "review_due"]);
  expect(await attentionOf(await client.context(), "owner")).toMatchObject([{ kind: "seller_reviews", count: 1 }]);
  const [asked] = (await openReviews(await client.context(), "owner")).items;
  expect(asked?.providers).toMatchObject([{ registrationId: asked?.registrationId, name: "Simulator", priority: 1 }]);
  const street = (name: string) => ({ body: { owner: { address: { street: name } } } });
  await client.make("POST", `${path}/${opened.id}/submit`, street("Rua B"));
  await afterDelay(client);
  const reopened = await client.make<{ status: string; deadline: string }>("GET", `${path}/${opened.id}`);
  expect(reopened.status).toBe("opened");
  expect(new Date(reopened.deadline).getTime()).toBeGreaterThanOrEqual(new Date(opened.deadline).getTime());
  await client.make("POST", `${path}/${opened.id}/submit`, street("Rua C"));
  await afterDelay(client);
  await afterDelay(client);
  expect((await client.make<List<{ status: string }>>("GET", path)).items[0]?.status).toBe("approved");
  expect(await noticesOf(client)).toEqual(["review_due", "review_due", "review_due", "review_closed"]);
});

test("a document is looked at by who may, each look is written down, and it goes with its seller", async () => {
  const { client, merchant } = await withMerchant(await openClient());
  const documents = [await uploadedDocument(client, aPicture())];
  const seller = await client.make<SellerReply>("POST", "/v1/sellers", { body: newSeller(merchant.id, { documents }) });
  const ctx = await person(client, "owner");
  const [id = ""] = documents;
  expect((await lookAt(ctx, "owner", id)).mime).toBe("image/png");
  await expect(lookAt(ctx, "viewer", id)).rejects.toMatchObject({ status: 404 });
  const [looks] = await systemSql()`
    select count(*)::int as n from audit_log where client_id = ${client.clientId} and action = 'seller_document.view'`;
  expect(looks?.n).toBe(1);
  await client.make("DELETE", `/v1/sellers/${seller.id}`, { body: { merchantId: merchant.id } });
  await eraseDocuments();
  expect((await lookAt(ctx, "owner", id)).mime).toBe("image/png");
  await systemSql()`update sellers set deleted_at = deleted_at - interval '31 days' where id = ${seller.id}`;
  await eraseDocuments();
  await expect(lookAt(ctx, "owner", id)).rejects.toMatchObject({ status: 404 });
});

test("a list knows names, documents and states, masked for who may not see people", async () => {
  const { client, merchant } = await withMerchant(await openClient());
  const made = await client.make<SellerReply>("POST", "/v1/sellers", { body: newSeller(merchant.id) });
  const ctx = await client.context();
  expect(await sellersLike(ctx, "owner", "ana sou", 5)).toEqual([made.id]);
  const [whole] = (await listSellersForOperator(ctx, "owner", { statuses: [] })).items;
  expect(await sellersLike(ctx, "owner", whole?.shown.document ?? "", 5)).toEqual([made.id]);
  const [masked] = (await listSellersForOperator(ctx, "viewer", { statuses: ["pending"] })).items;
  expect([whole?.shown.name, masked?.shown.name]).toEqual(["Ana Souza", "Ana S."]);
  expect((await sellerOverview(ctx, "owner", made.id)).holder).toBe("Ana Souza");
  expect((await sellerOverview(ctx, "viewer", made.id)).holder).toBe("Ana S.");
  expect((await listSellersForOperator(ctx, "owner", { statuses: ["blocked"] })).items).toEqual([]);
});

test("a plan changes by rows that take over; nothing that was is edited, and the simulator says what a sale would come to", async () => {
  const client = await openClient();
  const ctx = await client.context();
  const today = saoPauloDay(new Date());
  const terms = { name: "Own", monthlyRate: 100, markup: 50, withdrawalFee: 300, minimumPayout: 0 };
  const id = await inTransaction(ctx, (inside) => createPlan(inside, terms));
  const rate = {
    paymentMethod: "credit",
    brand: undefined,
    installmentFrom: 1,
    installmentTo: 12,
    refundable: "mdr",
  } as const;
  const add = (percentage: number, effectiveFrom = today) =>
    inTransaction(ctx, (inside) => addRate(inside, id, { ...rate, percentage, fixedAmount: 39, effectiveFrom }));
  await add(500);
  await add(459);
  await expect(add(1, "2020-01-01")).rejects.toMatchObject({ status: 400 });
  const plan = () => inTransaction(ctx, (inside) => salePlanAt(inside, id));
  const sale = {
    amount: 10_000,
    paymentType: "credit",
    installments: 6,
    brand: undefined,
    day: today,
    shareBps: 7_000,
  };
  const { seller, merchant, days } = simulateSale((await plan()).rates, sale);
  expect([seller, merchant.net, days.length]).toEqual([{ gross: 7_000, fee: 498, net: 6_502 }, 3_000, 6]);
  expect(days.reduce((sum, day) => sum + day.seller + day.merchant, 0)).toBe(9_502);
  const coming = addDays(today, 10);
  await add(900, coming);
  const shown = async () =>
    shownRates((await plan()).rates, today).map((row) => [row.percentageBps, row.effectiveFrom]);
  const end = async (at: number) => {
    const rateId = shownRates((await plan()).rates, today).at(at)?.id ?? "";
    await inTransaction(ctx, (inside) => retireRate(inside, id, rateId));
  };
  expect(await shown()).toEqual([
    [459, today],
    [900, coming],
  ]);
  // One to come does not begin; what is in force stays, on that day too.
  await end(-1);
  expect(await shown()).toEqual([[459, today]]);
  for (const day of [today, coming]) expect(simulateSale((await plan()).rates, { ...sale, day }).seller.fee).toBe(498);
  await end(0);
  expect(await shown()).toEqual([]);
  for (const day of [today, coming]) expect(simulateSale((await plan()).rates, { ...sale, day }).seller.fee).toBe(0);
  expect((await plan()).rates).toHaveLength(6);
  await inTransaction(ctx, (inside) => makeDefault(inside, id));
  await expect(inTransaction(ctx, (inside) => switchPlan(inside, id, "inactive"))).rejects.toMatchObject({
    status: 400,
  });
  await inTransaction(ctx, (inside) => changeTerms(inside, id, { ...terms, name: "Ours" }));
  expect((await plan()).row).toMatchObject({ name: "Ours", isDefault: true });
});

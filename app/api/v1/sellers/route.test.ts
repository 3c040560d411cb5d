import { describe, expect, it } from "vitest";
import { systemSql } from "@/db/client";
import { newId } from "@/lib/ids";
import { aKey, openClient, openMerchant, type TestClient } from "@/lib/testing/api";
import type { List } from "@/lib/testing/api-client";
import { addProvider, payByCard, withMerchant } from "@/lib/testing/payments";
import {
  afterDelay,
  cpfEndingIn,
  newOwner,
  newSeller,
  openSellers,
  type SellerReply,
  uploadedDocument,
} from "@/lib/testing/sellers";

const eventsOf = async (client: TestClient, id: string): Promise<string[]> => {
  const { items } = await client.make<List<{ id: string; object: string; event: string }>>("GET", "/v1/events", {
    query: { objectId: id, order: "asc" },
  });
  return items.map(({ object, event }) => `${object}.${event}`);
};
const statusOf = async (client: TestClient, id: string) =>
  (await client.make<SellerReply>("GET", `/v1/sellers/${id}`)).status;
const reviewsOf = async (client: TestClient, id: string) =>
  (
    await client.make<List<{ id: string; status: string; requestedFields: string[]; deadline: string }>>(
      "GET",
      `/v1/sellers/${id}/registration-reviews`,
    )
  ).items;

describe("POST /v1/sellers", () => {
  it("201: a person with what is usual, pending until the provider has answered, then active", async () => {
    const { client, merchant } = await withMerchant(await openClient());
    const input = newSeller(merchant.id);
    const idempotencyKey = aKey();
    const reply = await client.call<SellerReply>("POST", "/v1/sellers", { body: input, idempotencyKey });
    expect(reply).toMatchObject({
      status: 201,
      body: {
        merchantId: merchant.id,
        clientId: client.clientId,
        mcc: "5712",
        status: "pending",
        planId: null,
        business: null,
        owner: { birthdate: "1990-04-01T00:00:00.000Z", document: { type: "cpf", country: "BR" } },
        bankAccount: { bank: "341", ispb: "60701190", pixKey: null },
        transferPolicy: { transferInterval: "weekly", transferDay: "1", transferEnabled: true },
        documents: [],
        notifyOnPayout: true,
        fareMdr: 0,
        fareFee: 0,
        minNegativeBalance: 0,
        maxRefundDays: null,
        metadata: null,
        providers: [{ providerType: "SANDBOX", status: "pending", externalId: expect.any(String) }],
      },
    });
    const { id } = reply.body;
    const again = await client.call("POST", "/v1/sellers", { body: input, idempotencyKey });
    expect([again.text, again.headers.get("idempotent-replayed")]).toEqual([reply.text, "true"]);
    await afterDelay(client);
    expect(await client.make("GET", `/v1/sellers/${id}`)).toMatchObject({
      status: "active",
      providers: [{ status: "active", externalStatus: "enabled" }],
    });
    expect(await eventsOf(client, id)).toEqual(["seller.pending", "seller.active"]);
    const [calls] = await systemSql()`
      select count(*)::int as n from seller_calls where client_id = ${client.clientId} and call = 'register'`;
    expect(calls?.n).toBe(1);
  });

  it("registers afterwards when it is asked to, and takes a registration that exists", async () => {
    const { client, merchant } = await withMerchant(await openClient());
    const later = await client.make<SellerReply>("POST", "/v1/sellers", {
      body: newSeller(merchant.id, { createAsync: true }),
    });
    expect(later.providers).toMatchObject([{ externalId: null, status: "pending" }]);
    const adopted = await client.make<SellerReply>("POST", "/v1/sellers", {
      body: newSeller(merchant.id, { providers: [{ providerType: "SANDBOX", externalId: "re_known" }] }),
    });
    expect(adopted).toMatchObject({ status: "active", providers: [{ externalId: "re_known", status: "active" }] });
    await client.make("POST", "/v1/sandbox/clock", { body: { advance: "PT5M" } });
    expect(await statusOf(client, later.id)).toBe("active");
  });

  it("one of many that race for a document is made", async () => {
    const { client, merchant } = await withMerchant(await openClient());
    const body = newSeller(merchant.id, { createAsync: true });
    const replies = await Promise.all(Array.from({ length: 6 }, () => client.call("POST", "/v1/sellers", { body })));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409, 409, 409]);
    expect(replies.find(({ status }) => status === 409)?.error?.businessCode).toBe("seller_already_exists");
    const other = await openMerchant(client);
    expect((await client.call("POST", "/v1/sellers", { body: { ...body, merchantId: other.id } })).status).toBe(201);
  });

  const refusals: [string, Record<string, unknown>, number, Record<string, unknown>][] = [
    ["an unknown merchant", { merchantId: newId() }, 400, { businessCode: "merchant_not_found" }],
    ["an unknown plan", { planId: newId() }, 400, { businessCode: "plan_not_found" }],
    ["an unknown document", { documents: [newId()] }, 400, { businessCode: "document_not_found" }],
    ["an owner without a document's check digits", { owner: newOwner("52998224724") }, 400, { type: "bad_request" }],
    [
      "a day of transfers that its interval has not",
      {
        transferPolicy: { transferInterval: "weekly", transferDay: 6, transferEnabled: true },
      },
      400,
      { details: ["transferPolicy.transferDay: must be 1 to 5 for weekly"] },
    ],
    ["fares with three decimals", { fareMdr: 1.005 }, 400, { type: "bad_request" }],
  ];
  it.each(refusals)("refuses %s, and writes nothing", async (_name, changes, status, error) => {
    const { client, merchant } = await withMerchant(await openClient());
    const reply = await client.call("POST", "/v1/sellers", { body: newSeller(merchant.id, changes) });
    expect(reply).toMatchObject({ status, body: { error } });
    expect((await client.make<List>("GET", "/v1/sellers")).meta.totalItems).toBe(0);
  });

  it("refuses an account of somebody else, one without a bank, and a merchant whose providers split nothing", async () => {
    const { client, merchant } = await withMerchant(await openClient());
    const input = newSeller(merchant.id);
    const with_ = (account: Record<string, unknown>) => ({
      ...input,
      bankAccount: { ...input.bankAccount, ...account },
    });
    const post = (body: unknown) => client.call("POST", "/v1/sellers", { body });
    expect((await post(with_({ holderDocument: "52998224725" }))).error?.details).toEqual([
      "bankAccount.holderDocument: must be the document of the owner or the business",
    ]);
    expect((await post(with_({ bank: undefined }))).error).toMatchObject({
      type: "bad_request",
      key: "bank_identifier_required",
    });
    const { id } = await client.make("POST", "/v1/merchants", { body: { mcc: "5411" } });
    expect((await post({ ...input, merchantId: id })).error).toMatchObject({
      businessCode: "provider_kind_not_available",
    });
  });
});

describe("what the document's last digit decides", () => {
  it("6: active at the first provider, refused at the second: partial", async () => {
    const shop = await withMerchant(await openClient());
    await addProvider(shop, { priority: 2 });
    const body = newSeller(shop.merchant.id, {}, 6);
    const { id } = await shop.client.make("POST", "/v1/sellers", { body });
    await afterDelay(shop.client);
    expect(await statusOf(shop.client, id)).toBe("partial");
  });

  it("9: refused everywhere, inactive", async () => {
    const { client, merchant } = await withMerchant(await openClient());
    const { id } = await client.make("POST", "/v1/sellers", { body: newSeller(merchant.id, {}, 9) });
    await afterDelay(client);
    expect(await statusOf(client, id)).toBe("inactive");
  });

  it.each([
    [7, "approved", "active"],
    [8, "rejected", "inactive"],
  ])("%i: documents are asked for; once sent the review is %s and the seller %s", async (digit, ended, status) => {
    const { client, merchant } = await withMerchant(await openClient());
    const { id } = await client.make("POST", "/v1/sellers", { body: newSeller(merchant.id, {}, digit) });
    await afterDelay(client);
    expect(await statusOf(client, id)).toBe("active");
    const [review] = await reviewsOf(client, id);
    expect(review).toMatchObject({ status: "opened", requestedFields: expect.arrayContaining(["documents.SELFIE"]) });
    const path = `/v1/sellers/${id}/registration-reviews/${review?.id}/submit`;
    expect((await client.call("POST", path, { body: { owner: { name: "Ana" } } })).status).toBe(400);
    const documents = [await uploadedDocument(client)];
    expect(await client.make("POST", path, { body: { documents } })).toMatchObject({ status: "submitted" });
    expect((await client.call("POST", path, { body: { documents } })).error?.businessCode).toBe("review_not_open");
    await afterDelay(client);
    await afterDelay(client);
    expect((await reviewsOf(client, id))[0]?.status).toBe(ended);
    expect(await statusOf(client, id)).toBe(status);
    expect(await eventsOf(client, review?.id ?? "")).toEqual(
      ["opened", "submitted", ended].map((event) => `seller.registration_review.${event}`),
    );
    expect(await client.make("GET", `/v1/sellers/documents/${documents[0]}`)).toMatchObject({ status: "sent" });
  });

  it("7, and nobody answers: the clock ends the review and blocks the seller; a later approval takes that back", async () => {
    const { client, merchant } = await withMerchant(await openClient());
    const { id } = await client.make("POST", "/v1/sellers", { body: newSeller(merchant.id, {}, 7) });
    await client.make("POST", "/v1/sandbox/clock", { body: { advance: "P9D" } });
    expect((await reviewsOf(client, id)).map(({ status }) => status)).toEqual(["expired"]);
    expect(await statusOf(client, id)).toBe("blocked");
    expect(await eventsOf(client, id)).toEqual(["seller.pending", "seller.active", "seller.blocked"]);
    const path = `/v1/sellers/${id}/registration-reviews`;
    const { id: reviewId } = await client.make("POST", path, { body: { requestedFields: ["owner.address"] } });
    const body = { owner: { address: { street: "Rua B" } } };
    await client.make("POST", `${path}/${reviewId}/submit`, { body });
    await afterDelay(client);
    await afterDelay(client);
    expect(await statusOf(client, id)).toBe("active");
  });
});

describe("GET /v1/sellers", () => {
  it("answers every filter, page by page", async () => {
    const { client, merchant } = await withMerchant(await openClient());
    const company = (name: string) => ({
      ...newOwner("12345107000150"),
      birthdate: undefined,
      name,
      email: "contato@serra.example",
      document: { type: "cnpj", number: "12345107000150" },
    });
    const first = await client.make("POST", "/v1/sellers", { body: newSeller(merchant.id) });
    const second = await client.make("POST", "/v1/sellers", {
      body: newSeller(merchant.id, { business: company("Móveis da SERRA Ltda") }),
    });
    const ids = async (query: Record<string, string | number>) =>
      (await client.make<List>("GET", "/v1/sellers", { query })).items.map(({ id }) => id);
    expect(await ids({})).toEqual([second.id, first.id]);
    expect(await ids({ order: "asc", limit: 1 })).toEqual([first.id]);
    expect(await ids({ businessName: "da serra" })).toEqual([second.id]);
    expect(await ids({ email: "CONTATO@serra.example" })).toEqual([second.id]);
    expect(await ids({ email: "ana@example.com", merchantId: merchant.id })).toHaveLength(2);
    expect(await ids({ status: "active,partial" })).toEqual([]);
    expect(await ids({ status: "pending", id: first.id })).toEqual([first.id]);
    expect(await ids({ merchantId: newId() })).toEqual([]);
    const wrong: Record<string, string>[] = [{ businessName: "ab" }, { status: "gone" }, { id: "7" }];
    for (const query of wrong) expect((await client.call("GET", "/v1/sellers", { query })).status).toBe(400);
  });
});

describe("PATCH and DELETE", () => {
  it("merge member by member, in both forms; a new account holds transfers", async () => {
    const { client, merchant } = await withMerchant(await openClient());
    const { id } = await client.make("POST", "/v1/sellers", { body: newSeller(merchant.id) });
    const changed = await client.make("PATCH", `/v1/sellers/${id}`, {
      body: { owner: { address: { street: "Rua B" } }, fareMdr: 2.5, metadata: [{ key: "a", value: 1 }] },
    });
    expect(changed).toMatchObject({
      owner: { name: "Ana Souza", address: { street: "Rua B", city: "São Paulo" } },
      fareMdr: 2.5,
      metadata: { a: 1 },
    });
    const query = { id };
    expect((await client.call("PATCH", "/v1/sellers", { query, body: { mcc: "5999" } })).status).toBe(400);
    const bankAccount = { ispb: "00000000", accountNumber: "99" };
    expect(await client.make("PATCH", "/v1/sellers", { query, body: { bankAccount } })).toMatchObject({
      bankAccount: { bank: "001", ispb: "00000000", accountNumber: "99", branchNumber: "1234" },
    });
    const [row] =
      await systemSql()`select transfers_held_until - now() > '23 hours' as held from sellers where id = ${id}`;
    expect(row?.held).toBe(true);
    const [entry] =
      await systemSql()`select before, after from audit_log where action = 'seller.bank_account' and object_id = ${id}`;
    expect([entry?.before.account, entry?.after.account]).toEqual(["6789", "99"]);
    await afterDelay(client);
    expect(await client.make("PATCH", `/v1/sellers/${id}`, { body: { status: "inactive" } })).toMatchObject({
      status: "inactive",
    });
    expect(await client.make("PATCH", `/v1/sellers/${id}`, { body: { status: "active" } })).toMatchObject({
      status: "active",
    });
    expect((await client.call("PATCH", `/v1/sellers/${id}`, { body: { status: "blocked" } })).error?.businessCode).toBe(
      "invalid_status_transition",
    );
  });

  it("delete by path and by query, with the seller's own merchant", async () => {
    const { client, merchant } = await withMerchant(await openClient());
    const document = cpfEndingIn();
    const body = { ...newSeller(merchant.id), owner: newOwner(document) };
    body.bankAccount = { ...body.bankAccount, holderDocument: document };
    const { id } = await client.make("POST", "/v1/sellers", { body });
    const wrong = await client.call("DELETE", `/v1/sellers/${id}`, { body: { merchantId: newId() } });
    expect(wrong.error?.businessCode).toBe("merchant_not_found");
    expect((await client.call("DELETE", `/v1/sellers/${id}`, { body: { merchantId: merchant.id } })).status).toBe(204);
    expect((await client.call("GET", `/v1/sellers/${id}`)).status).toBe(404);
    const again = await client.make("POST", "/v1/sellers", { body });
    const reply = await client.call("DELETE", "/v1/sellers", {
      query: { id: again.id },
      body: { merchantId: merchant.id },
    });
    expect([reply.status, reply.text]).toEqual([200, ""]);
  });
});

it("is not deleted while it may get something, has something or has to give something back", async () => {
  const shop = await withMerchant(await openClient());
  const { client, merchant } = shop;
  const [sellerId = ""] = await openSellers(client, merchant.id, 1);
  const deletion = async () => {
    const reply = await client.call("DELETE", `/v1/sellers/${sellerId}`, { body: { merchantId: merchant.id } });
    return reply.error?.businessCode ?? reply.status;
  };
  const splitRules = [{ sellerId, percentage: 50, liable: true }];
  const { body: charge } = await payByCard(shop, { amount: 5_000, changes: { splitRules } });
  expect([await deletion(), "held"]).toEqual(["seller_has_balance", "held"]);
  await client.make("POST", `/v1/charges/${charge.id}/capture`, { body: {} });
  expect([await deletion(), "to come"]).toEqual(["seller_has_balance", "to come"]);
  await client.make("POST", `/v1/sandbox/charges/${charge.id}/chargeback`, { body: {} });
  expect([await deletion(), "disputed"]).toEqual(["seller_has_balance", "disputed"]);
  await client.make("POST", `/v1/sandbox/charges/${charge.id}/chargeback/reverse`, { body: {} });
  await client.make("POST", `/v1/charges/${charge.id}/void`, { body: {} });
  expect(await deletion()).toBe(204);
});

it("a provider that comes later gets the sellers who are there", async () => {
  const shop = await withMerchant(await openClient());
  const { id } = await shop.client.make("POST", "/v1/sellers", { body: newSeller(shop.merchant.id) });
  await afterDelay(shop.client);
  await addProvider(shop, { priority: 2 });
  await afterDelay(shop.client);
  await afterDelay(shop.client);
  const seller = await shop.client.make<SellerReply>("GET", `/v1/sellers/${id}`);
  expect(seller.providers.map(({ status }) => status)).toEqual(["active", "active"]);
});

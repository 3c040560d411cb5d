import { describe, expect, it } from "vitest";
import { newId } from "@/lib/ids";
import { openClient } from "@/lib/testing/api";
import type { List } from "@/lib/testing/api-client";
import { payByCard, withMerchant } from "@/lib/testing/payments";

const newVendor = (changes: Record<string, unknown> = {}) => ({
  referenceId: newId().slice(-12),
  identityType: "CPF",
  identity: "529.982.247-25",
  mcc: "5712",
  name: "Móveis da Serra",
  address: {
    country: "br",
    state: "RS",
    city: "Gramado",
    district: "Centro",
    zipCode: "95670-000",
    street: "Rua das Hortênsias",
    streetNumber: "120",
  },
  ...changes,
});

describe("a vendor", () => {
  it("is made, read, listed, changed member by member, and deleted", async () => {
    const client = await openClient();
    const vendor = await client.make("POST", "/v1/vendors", { body: newVendor({ referenceId: "loja-1" }) });
    expect(vendor).toMatchObject({
      referenceId: "loja-1",
      identity: "52998224725",
      email: null,
      address: { country: "BR", streetNumber: "120", complement: null },
    });
    expect(await client.make("GET", `/v1/vendors/${vendor.id}`)).toEqual(vendor);
    const { items } = await client.make<List>("GET", "/v1/vendors", { query: { referenceId: "loja-1" } });
    expect(items).toEqual([vendor]);
    const changed = await client.make("PATCH", `/v1/vendors/${vendor.id}`, {
      body: { name: "Serra", address: { streetNumber: "9" } },
    });
    expect(changed).toMatchObject({
      name: "Serra",
      mcc: "5712",
      address: { street: "Rua das Hortênsias", streetNumber: "9" },
    });
    expect((await client.call("DELETE", `/v1/vendors/${vendor.id}`)).status).toBe(204);
    expect((await client.call("GET", `/v1/vendors/${vendor.id}`)).status).toBe(404);
    expect((await client.call("POST", "/v1/vendors", { body: newVendor({ referenceId: "loja-1" }) })).status).toBe(201);
  });

  it("has a referenceId of its own", async () => {
    const [client, other] = [await openClient(), await openClient()];
    const [first, second] = [newVendor({ referenceId: "a" }), newVendor({ referenceId: "b" })];
    await client.make("POST", "/v1/vendors", { body: first });
    const { id } = await client.make("POST", "/v1/vendors", { body: second });
    await other.make("POST", "/v1/vendors", { body: first });
    const taken = { status: 409, body: { error: { businessCode: "vendor_already_exists" } } };
    expect(await client.call("POST", "/v1/vendors", { body: first })).toMatchObject(taken);
    expect(await client.call("PATCH", `/v1/vendors/${id}`, { body: { referenceId: "a" } })).toMatchObject(taken);
  });

  it.each([
    ["a number that its type does not allow", { identity: "52998224724" }, "identity: is not a valid CPF"],
    ["a reference that is too long", { referenceId: "1234567890123456" }, "referenceId"],
    ["a name that is too long", { name: "n".repeat(101) }, "name"],
    ["an address without a street", { address: { ...newVendor().address, street: undefined } }, "address.street"],
  ])("refuses %s", async (_name, changes, detail) => {
    const client = await openClient();
    const reply = await client.call("POST", "/v1/vendors", { body: newVendor(changes) });
    expect(reply.status).toBe(400);
    expect(reply.error?.details.join()).toContain(detail);
    const { meta } = await client.make<List>("GET", "/v1/vendors");
    expect(meta.totalItems).toBe(0);
  });
});

it("a charge and a session name it; one that is gone is refused", async () => {
  const shop = await withMerchant(await openClient());
  const { id } = await shop.client.make("POST", "/v1/vendors", { body: newVendor() });
  const vendor = { id, paymentFacilitatorId: "PF-7" };
  const charge = await payByCard(shop, { changes: { vendor } });
  expect(charge).toMatchObject({ status: 201, body: { vendor } });
  const session = {
    merchantId: shop.merchant.id,
    paymentMethods: [{ paymentType: "credit", installments: 1 }],
    items: [{ name: "Mesa", unitPrice: 9_900, quantity: 1 }],
    vendor,
  };
  expect(await shop.client.make("POST", "/v1/sessions", { body: session })).toMatchObject({ vendor });
  await shop.client.call("DELETE", `/v1/vendors/${id}`);
  const gone = { status: 400, body: { error: { businessCode: "vendor_not_found" } } };
  expect(await payByCard(shop, { changes: { vendor } })).toMatchObject(gone);
  expect(await shop.client.call("POST", "/v1/sessions", { body: session })).toMatchObject(gone);
});

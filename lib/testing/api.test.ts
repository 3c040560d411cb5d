import { expect, it } from "vitest";
import { newMerchant, openClient, openMerchant } from "@/lib/testing/api";

it("an open merchant has one provider that can be paid through", async () => {
  const client = await openClient();
  const { id, providerId } = await openMerchant(client);
  const { body } = await client.call<{ status: boolean; providers: { id: string }[] }>("GET", `/v1/merchants/${id}`);
  expect(body).toMatchObject({ status: true, providers: [{ id: providerId, credentials: { type: "SANDBOX" } }] });
});

it("what a test only needs to exist says why it could not be made", async () => {
  const client = await openClient();
  await expect(client.make("POST", "/v1/merchants", { body: newMerchant({ mcc: "x" }) })).rejects.toThrow(
    /POST \/v1\/merchants answered 400.*mcc: must have 3 or 4 digits/,
  );
});

it("two clients share nothing", async () => {
  const [one, other] = [await openClient(), await openClient({ mode: "live" })];
  const { id } = await openMerchant(one);
  expect((await other.call("GET", `/v1/merchants/${id}`)).status).toBe(404);
});

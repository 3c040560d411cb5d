import { describe, expect, it } from "vitest";
import { openClient } from "@/lib/testing/api";
import type { List } from "@/lib/testing/api-client";
import { withMerchant } from "@/lib/testing/payments";
import { newSeller } from "@/lib/testing/sellers";

const openSeller = async () => {
  const { client, merchant } = await withMerchant(await openClient());
  const { id } = await client.make("POST", "/v1/sellers", { body: newSeller(merchant.id) });
  return { client, path: `/v1/sellers/${id}/registration-reviews` };
};

describe("POST /v1/sellers/{id}/registration-reviews", () => {
  it.each(["documents.PASSPORT", "documents.selfie", "owner.shoeSize", "owner.address.planet", "partner.name"])(
    "400: %s is nothing that can be asked for; the member is named with what was expected, and no review is opened",
    async (unknown) => {
      const { client, path } = await openSeller();
      const reply = await client.call("POST", path, { body: { requestedFields: ["owner.address", unknown] } });
      expect(reply).toMatchObject({
        status: 400,
        error: {
          type: "bad_request",
          details: [
            expect.stringMatching(/^requestedFields\.1: must be a path such as owner\.address, .*documents\.SELFIE/),
          ],
        },
      });
      expect((await client.make<List<unknown>>("GET", path)).items).toEqual([]);
    },
  );

  it("201: groups, members of them and every type of document can be asked for", async () => {
    const { client, path } = await openSeller();
    const requestedFields = ["owner", "business.website", "owner.address.zipCode", "bankAccount", "documents.RG_BACK"];
    expect(await client.make("POST", path, { body: { requestedFields } })).toMatchObject({ requestedFields });
  });
});

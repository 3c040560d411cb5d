import { beforeAll, describe, expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { attentionOf } from "@/lib/insights/attention";
import { listFailingLinks, tellFailure } from "@/lib/insights/failing-links";
import { openClient } from "@/lib/testing/api";
import { newBuyer } from "@/lib/testing/checkout-routes";
import { type Shop, withMerchant } from "@/lib/testing/payments";
import { newSession, type SessionReply } from "@/lib/testing/sessions";

let shop: Shop;
let link: string;
beforeAll(async () => {
  shop = await withMerchant(await openClient());
  const { body } = await shop.client.call<SessionReply>("POST", "/v1/sessions", { body: newSession(shop) });
  link = body.id;
});

const alerts = async () =>
  (await attentionOf(await shop.client.context(), "viewer")).filter(({ kind }) => kind === "links_failing");
const switchShop = (status: boolean) =>
  shop.client.make("PATCH", `/v1/merchants/${shop.merchant.id}`, { body: { status } });
const rows = () =>
  systemSql()<{ cause: string; last_at: Date }[]>`select cause, last_at from link_failures where session_id = ${link}`;

describe("a link that buyers cannot pay", () => {
  test("is shown to whoever may see payments, once, however often it is opened", async () => {
    expect(await alerts()).toEqual([]);
    await switchShop(false);
    for (let visit = 0; visit < 3; visit++) {
      const shown = await (await newBuyer()).open(`/pay/${link}`);
      expect([shown.status, shown.state]).toEqual([503, "no_method"]);
      expect(shown.text).toContain("já foi avisada");
    }
    expect(await alerts()).toMatchObject([{ count: 1, amount: 0 }]);
    expect(await rows()).toHaveLength(1);
    expect([...(await listFailingLinks(await shop.client.context()))]).toEqual([link]);
  });

  test("is written once an hour: a flood of visits leaves the row as it was", async () => {
    const ctx = await shop.client.context();
    const session = { id: link, merchantId: shop.merchant.id };
    const [before] = await rows();
    await Promise.all(Array.from({ length: 20 }, () => tellFailure(ctx, session, "no_method")));
    expect(await rows()).toEqual([before]);
  });

  test("is settled by any change of the shop or of its providers, and told of again when that did not help", async () => {
    await shop.client.call("POST", "/v1/sandbox/clock", { body: { advance: "PT1M" } });
    await switchShop(true);
    expect(await alerts()).toEqual([]);
    await switchShop(false);
    await shop.client.call("POST", "/v1/sandbox/clock", { body: { advance: "PT1M" } });
    await (await newBuyer()).open(`/pay/${link}`);
    expect(await alerts()).toMatchObject([{ count: 1 }]);
  });

  test("is nobody's business in another account", async () => {
    const other = await openClient();
    expect(await attentionOf(await other.context(), "owner")).toEqual([]);
  });
});

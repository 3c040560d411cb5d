import { describe, expect, test } from "vitest";
import { newVisit } from "@/lib/checkout/visit";
import { countVisit, figuresOfLinks } from "@/lib/checkout/visits";
import { inTransaction } from "@/lib/context";
import { sandboxPan } from "@/lib/reference/sandbox-pans";
import { openClient } from "@/lib/testing/api";
import { openLink, pressPay, typedCard } from "@/lib/testing/checkout";
import { withMerchant } from "@/lib/testing/payments";
import { inForceOn, liftPauses, pauseCards } from "@/lib/velocity/alarms";

describe("the links of a list", () => {
  test("each have how often they were opened, tried, refused and paid, several links at once", async () => {
    const shop = await withMerchant(await openClient());
    const [busy, quiet] = [await openLink(shop), await openLink(shop)];
    const [one, two] = [newVisit(), newVisit()];
    for (const visit of [one, two]) await countVisit(busy.ctx, busy.session.id, visit);
    await pressPay(busy, one, "card", typedCard(sandboxPan("decline:insufficient_funds")));
    await pressPay(busy, one, "card", typedCard(sandboxPan("approve")), 1);
    const ids = [busy.session.id, quiet.session.id];
    const figures = await inTransaction(busy.ctx, (inside) => figuresOfLinks(inside, ids));
    expect(figures.get(busy.session.id)).toEqual({ visits: 2, attempts: 2, failed: 1, payments: 1 });
    expect(figures.get(quiet.session.id)).toEqual({ visits: 0, attempts: 0, failed: 0, payments: 0 });
    const stranger = await openLink(await withMerchant(await openClient()));
    expect(
      (await inTransaction(stranger.ctx, (inside) => figuresOfLinks(inside, ids))).get(busy.session.id),
    ).toMatchObject({ visits: 0, attempts: 0 });
  });

  test("are flagged with what acts on them now, and with nothing of another link", async () => {
    const shop = await withMerchant(await openClient());
    const [closed, open] = [await openLink(shop), await openLink(shop)];
    const acting = (id: string) => inTransaction(closed.ctx, (inside) => inForceOn(inside, [id]));
    await inTransaction(closed.ctx, (inside) => pauseCards(inside, closed.session.id, 3_600, "a list of stolen cards"));
    expect(await acting(closed.session.id)).toMatchObject([{ kind: "cards_paused", cause: "person" }]);
    expect(await acting(open.session.id)).toEqual([]);
    await inTransaction(closed.ctx, (inside) => liftPauses(inside, closed.session.id));
    expect(await acting(closed.session.id)).toEqual([]);
  });
});

import { beforeAll, describe, expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { searchEverything } from "@/lib/search/everything";
import { openClient, openMerchant, type TestClient } from "@/lib/testing/api";
import { addProvider, openCustomer, payByCard, type Shop, withMerchant } from "@/lib/testing/payments";
import { openSession } from "@/lib/testing/sessions";
import { type Club, openClub } from "@/lib/testing/subscriptions";

let shop: Shop;
let other: TestClient;
let charge: string;
let customer: string;

const search = async (typed: string, client = shop.client, role: "owner" | "developer" = "owner") =>
  searchEverything(await client.context(), role, typed);

beforeAll(async () => {
  shop = await withMerchant(await openClient());
  other = await openClient();
  customer = await openCustomer(shop.client, { name: "Clarice Lispector", email: "macabea.estrela@example.com" });
  charge = (await payByCard(shop, { amount: 12_990, changes: { customerId: customer, orderId: "Pedido-2026-77" } }))
    .body.id;
});

describe("one box finds", () => {
  test.each(["Pedido-2026-77", "Pedido-2026", "Ped", "129,90", "macabea.estrela@example.com"])(
    "a payment by %s",
    async (typed) => {
      expect((await search(typed)).payments.map(({ id }) => id)).toEqual([charge]);
    },
  );

  test.each(["clarice", "LISPEC", "arice Lis", "claríce, lispector", "estrela@ex", "macabea.estrela@example.com"])(
    "a customer by %s",
    async (typed) => {
      expect((await search(typed)).customers.map(({ id }) => id)).toEqual([customer]);
    },
  );

  test.each([
    "clarice",
    "lispector hoje",
    "today 129,90 clarice",
    "129.9 credit estrela",
    "PEDIDO 2026 77",
    "pedido-2026-77",
  ])("the payment of a buyer by %s, whatever the order of the clues", async (typed) => {
    expect((await search(typed)).payments.map(({ id }) => id)).toEqual([charge]);
  });

  test.each(["clarice ontem", "lispector 130,00", "clarice recusada", "clarice pix"])(
    "no payment by %s, of which one clue is wrong",
    async (typed) => {
      expect((await search(typed)).payments).toEqual([]);
    },
  );

  test("recent payments when nothing is typed", async () => {
    expect((await search("")).payments.map(({ id }) => id)).toEqual([charge]);
  });

  test("a customer in full for those who may see them, and only enough to tell two apart for others", async () => {
    expect((await search("clarice")).customers[0]?.email).toBe("macabea.estrela@example.com");
    expect((await search("clarice", shop.client, "developer")).customers[0]?.email).not.toContain("macabea.estrela");
  });

  test("nothing of another account", async () => {
    for (const typed of ["Pedido-2026-77", "Ped", "clarice", charge, customer, "129,90", ""]) {
      const { payments, customers, merchants } = await search(typed, other);
      expect([payments, customers, merchants], typed).toEqual([[], [], []]);
    }
  });

  test("what is around a sign that no text may hold", async () => {
    expect((await search("\0")).isPartial).toBe(false);
    expect((await search("clar\0ice")).customers.map(({ id }) => id)).toEqual([customer]);
  });

  test("nothing for signs that mean something in a pattern", async () => {
    for (const typed of ["%%%", "___", "\\\\\\"]) expect((await search(typed)).customers).toEqual([]);
  });
});

describe("one box finds what has a name", () => {
  let club: Club;
  let named: { link: string; subscription: string; provider: string };

  beforeAll(async () => {
    club = await openClub("2027-01-10T10:00:00Z");
    await openCustomer(club.client, { name: "Ana Souza", email: "ana.s@example.com" });
    const { id: link } = await openSession(club, { name: "Kit café especial", orderId: "PED-77" });
    const { body } = await club.subscribe({ referenceKey: "club-9" });
    named = { link, subscription: body.id, provider: await addProvider(club, { name: "Simulador 2" }) };
  });

  const ids = (found: readonly { id: string }[]) => found.map(({ id }) => id);

  test.each(["Kit café especial", "cafe espec", "PED-77", "ped 77"])("a payment link by %s", async (typed) => {
    expect(ids((await search(typed, club.client)).links)).toEqual([named.link]);
  });

  test("a payment link by its pasted address", async () => {
    const typed = `https://pay.example.com/checkout/${named.link}`;
    expect(ids((await search(typed, club.client)).links)).toEqual([named.link]);
  });

  test.each(["Plano Ouro", "ouro", "club-9", "ana souza"])("a subscription by %s", async (typed) => {
    expect(ids((await search(typed, club.client)).subscriptions)).toEqual([named.subscription]);
  });

  test("a provider by its name, for those who see merchants", async () => {
    expect(ids((await search("simulador 2", club.client)).providers)).toEqual([named.provider]);
    expect((await searchEverything(await club.client.context(), "finance", "simulador 2")).providers).toEqual([]);
  });

  test("nothing of another account, and nothing of a merchant that is not theirs", async () => {
    const elsewhere = await openMerchant(club.client);
    const limited = { ...(await club.client.context()), merchants: [elsewhere.id] };
    for (const typed of ["Kit café especial", "Plano Ouro", "Simulador 2", ...Object.values(named)]) {
      const others = [
        await search(typed, other),
        await searchEverything(limited, { limited: "owner" }, typed, { isPatient: true }),
      ];
      for (const { links, subscriptions, providers } of others)
        expect([links, subscriptions, providers], typed).toEqual([[], [], []]);
    }
  });
});

test("what takes too long is left out and said so, and is found by who waits for it", async () => {
  const ctx = await shop.client.context();
  const patient = await systemSql().begin(async (tx) => {
    await tx`lock table customers in access exclusive mode`;
    const soon = await searchEverything(ctx, "owner", "clarice");
    expect([soon.customers, soon.isPartial]).toEqual([[], true]);
    // Begun while the table is held, answered once it is not.
    return { answer: searchEverything(ctx, "owner", "clarice", { isPatient: true }) };
  });
  const { customers, isPartial } = await patient.answer;
  expect([customers.map(({ id }) => id), isPartial]).toEqual([[customer], false]);
});

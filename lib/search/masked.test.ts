import { beforeAll, describe, expect, test } from "vitest";
import { systemSql } from "@/db/client";
import type { OperatorRole } from "@/lib/operators/sessions";
import { customersLike } from "@/lib/search/buyers";
import { searchEverything } from "@/lib/search/everything";
import { countNewer, countStates, type ListFilters, listPayments } from "@/lib/search/payments";
import { sellersLike } from "@/lib/search/sellers";
import { openClient } from "@/lib/testing/api";
import { openCustomer, payByCard, type Shop, withMerchant } from "@/lib/testing/payments";
import { bought } from "@/lib/testing/purchases";
import { openSellers } from "@/lib/testing/sellers";

let shop: Shop;
let customer: string;
let paid: string;
let purchase: string;
const NAME = "Clarice Almeida Lispector";
const EMAIL = "macabea7@example.com";
const DOCUMENT = "39053344705";

const ctx = () => shop.client.context();
const listed = async (role: OperatorRole, filters: ListFilters): Promise<string[]> =>
  (await listPayments(await ctx(), role, filters)).items.map(({ id }) => id);

beforeAll(async () => {
  shop = await withMerchant(await openClient());
  const document = { type: "cpf", number: DOCUMENT, country: "BR" };
  customer = await openCustomer(shop.client, { name: NAME, email: EMAIL, document });
  await openCustomer(shop.client, { name: "Clara Lins", email: "lins@example.com" });
  paid = (await payByCard(shop, { changes: { customerId: customer } })).body.id;
  purchase = (await bought(shop, { capture: true, changes: { customerId: customer } })).id;
});

/** What only a role that sees buyers whole finds by, and what everybody does. */
const HIDDEN = [
  NAME,
  "lispector",
  "clarice alm",
  "almeida lis",
  "almeida",
  EMAIL,
  "macabea",
  "example.com",
  DOCUMENT,
  "390.533.447-05",
  `${EMAIL} hoje`,
];
const SHOWN = ["clarice", "Clarice L.", "CLARICE  l", "clari"];

describe("who sees buyers masked", () => {
  test.each(HIDDEN)("finds nobody and nothing by %s, which others find by", async (typed) => {
    const found = async (role: OperatorRole) => {
      const { payments, customers } = await searchEverything(await ctx(), role, typed);
      return {
        listed: await listed(role, { search: typed }),
        customers: await customersLike(await ctx(), role, typed, 5),
        counted: await countStates(await ctx(), role, { search: typed }, [[]]),
        box: [...payments, ...customers].map(({ id }) => id),
      };
    };
    expect(await found("viewer")).toEqual({ listed: [], customers: [], counted: [0], box: [] });
    expect(await found("developer")).toEqual({ listed: [], customers: [], counted: [0], box: [] });
    const whole = await found("support");
    expect([whole.listed, whole.counted]).toEqual([[purchase, paid], [2]]);
    // Days are no part of a customer.
    if (!typed.endsWith("hoje")) expect(whole.customers).toContain(customer);
  });

  test.each(SHOWN)("finds by %s, which is what they are shown", async (typed) => {
    expect(await listed("viewer", { search: typed })).toEqual([purchase, paid]);
    expect(await customersLike(await ctx(), "viewer", typed, 5)).toEqual([customer]);
  });

  test("finds a customer and their payments by the customer's id", async () => {
    expect(await customersLike(await ctx(), "viewer", customer, 5)).toEqual([customer]);
    expect(await listed("viewer", { buyer: customer })).toEqual([purchase, paid]);
  });

  test.each([EMAIL, DOCUMENT])("narrows no list by %s", async (buyer) => {
    const since = { at: new Date(0), id: "00000000-0000-7000-8000-000000000000" };
    const found = async (role: OperatorRole) => [
      await listed(role, { buyer }),
      await countNewer(await ctx(), role, { buyer }, since),
    ];
    expect(await found("viewer")).toEqual([[], 0]);
    expect(await found("owner")).toEqual([[purchase, paid], 2]);
  });

  test("is told of no e-mail and no document that they were read as such", async () => {
    const readAs = async (role: OperatorRole) => (await searchEverything(await ctx(), role, DOCUMENT)).readAs;
    expect(await readAs("owner")).toContain("document");
    expect(await readAs("viewer")).not.toContain("document");
  });
});

test("of sellers, finds by the company's name and by what is shown of a person's", async () => {
  const [person = "", company = ""] = await openSellers(shop.client, shop.merchant.id, 2);
  await systemSql()`update sellers set business_name = 'Livraria Macabéa' where id = ${company}`;
  const [row] = await systemSql()<{ document: string }[]>`
    select document_number as document from sellers where id = ${person}`;
  const found = async (role: OperatorRole, typed: string) => (await sellersLike(await ctx(), role, typed, 5)).sort();
  const both = [person, company].sort();
  for (const typed of ["Ana Souza", "souza", "ana@example.com"]) {
    expect(await found("owner", typed), typed).toEqual(both);
    expect(await found("viewer", typed), typed).toEqual([]);
  }
  expect(await found("owner", row?.document ?? "")).toEqual([person]);
  expect(await found("viewer", row?.document ?? "")).toEqual([]);
  for (const role of ["owner", "viewer"] as const) expect(await found(role, "macabéa")).toEqual([company]);
  expect(await found("viewer", "Ana S.")).toEqual(both);
});

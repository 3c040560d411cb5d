import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { PaymentList, type PaymentRow } from "@/components/charges/payment-list";

const row: PaymentRow = {
  id: "1",
  href: "/1",
  status: { value: "failed", text: "Declined" },
  review: undefined,
  amount: "R$1.00",
  beside: undefined,
  method: { value: "credit", text: "Visa", detail: undefined },
  cards: [],
  buyer: undefined,
  orderId: undefined,
  link: undefined,
  merchant: undefined,
  provider: undefined,
  decline: { short: "Insufficient funds", full: "Insufficient funds or limit." },
  created: { at: new Date(0), text: "1970" },
  acts: [],
  name: "R$1.00",
};
const sort = { href: "/", state: undefined };
const NAMES = ["status", "method", "buyer", "order", "link", "merchant", "provider", "decline", "date"] as const;
const texts = Object.fromEntries(
  [...NAMES, "caption", "amount", "none", "select", "selectAll", "menu", "sort"].map((name) => [name, name]),
  // Guarantee: every text of the list is named above.
) as Parameters<typeof PaymentList>[0]["texts"];

test.each([[["status"]], [["status", "decline"]]] as const)(
  "a decline is told by its short name, and its sentence on hover: %s",
  (columns) => {
    const page = renderToStaticMarkup(
      <PaymentList
        rows={[row]}
        columns={columns}
        density="compact"
        sorts={{ amount: sort, date: sort }}
        texts={texts}
      />,
    );
    const told = [...page.matchAll(/title="Insufficient funds or limit\."[^>]*>([^<]*)</g)].map(([, text]) => text);
    // Once in the table, once in the cards of a phone.
    expect(told).toEqual(["Insufficient funds", "Insufficient funds"]);
  },
);

test.each(["compact", "comfortable"] as const)("a buyer is told by name, with the e-mail below it: %s", (density) => {
  const cells = (buyer: PaymentRow["buyer"]) =>
    renderToStaticMarkup(
      <PaymentList
        rows={[{ ...row, buyer }]}
        columns={["buyer"]}
        density={density}
        sorts={{ amount: sort, date: sort }}
        texts={texts}
      />,
    );
  const both = cells({ name: "Ana Souza", email: "ana@example.com" });
  expect(both).toMatch(
    /title="ana@example\.com"[^>]*>(?:(?!<\/span>).)*Ana Souza<\/span>(?:(?!<\/span>).)*ana@example\.com</,
  );
  expect(cells({ name: "ana@example.com", email: undefined })).toContain("ana<wbr/>@example");
});

const full: PaymentRow = {
  ...row,
  orderId: "PED-1001",
  merchant: "Loja do Centro",
  provider: "Pagar.me",
  buyer: { name: "Ana Souza", email: "ana@example.com" },
};
const listed = (columns: Parameters<typeof PaymentList>[0]["columns"]) =>
  renderToStaticMarkup(
    <PaymentList
      rows={[full]}
      columns={columns}
      density="compact"
      sorts={{ amount: sort, date: sort }}
      texts={texts}
    />,
  );
/** The class names of the cell that has this text, or of the element itself. */
const classesAround = (page: string, element: string, text: string): string[] =>
  [...page.matchAll(new RegExp(`<${element}[^>]*class="([^"]*)"[^>]*>(?:<span[^>]*>)?${text}<`, "g"))].map(
    ([, names = ""]) => names,
  );

const headings = (page: string): (string | undefined)[] =>
  [...page.matchAll(/<th [^>]*>(?:<a [^>]*>)?(\w+)</g)].map(([, name]) => name);

test("a merchant stands below the order, and a provider below the method; alone they have columns", () => {
  const page = listed(["status", "method", "buyer", "order", "merchant", "provider", "date"]);
  expect(headings(page)).toEqual(["amount", "status", "method", "buyer", "order", "date"]);
  expect(page).toMatch(/PED-1001<\/span><span title="Loja do Centro" class="[^"]*truncate[^"]*">Loja do Centro</);
  expect(page).toMatch(/<span title="Pagar\.me" class="[^"]*truncate[^"]*">Pagar\.me</);
  const alone = listed(["status", "merchant", "provider", "date"]);
  expect(headings(alone)).toEqual(["amount", "status", "merchant", "provider", "date"]);
  expect(alone.match(/>Loja do Centro</g)).toHaveLength(1);
});

test("nothing but its own text makes a column wide: what stands below and the names are cut off", () => {
  const page = listed(["status", "method", "buyer", "order", "merchant", "provider", "date"]);
  for (const text of ["Pagar\\.me", "Loja do Centro"])
    expect(page).toMatch(new RegExp(`class="[^"]*\\bw-0 min-w-full truncate[^"]*">${text}<`));
  for (const column of ["buyer", "order"])
    expect(classesAround(page, "th", column)).toEqual([expect.stringMatching(/\bmin-w-28 max-w-0\b/)]);
});

test("on a narrow screen an order and its merchant stand below the buyer, said once on others and on paper", () => {
  const page = listed(["buyer", "order", "merchant"]);
  expect(classesAround(page, "th", "order")).toEqual([expect.stringContaining("not-print:max-xl:hidden")]);
  expect(page).toMatch(/<span data-text="PED-1001 · Loja do Centro" class="hidden [^"]*not-print:max-xl:block"/);
  expect(page.slice(0, page.indexOf("<ul")).match(/>PED-1001</g)).toHaveLength(1);
  const alone = listed(["order", "merchant"]);
  expect(alone).not.toContain("max-xl:hidden");
  expect(alone).not.toContain("data-text");
});

test("no heading breaks within a word", () => {
  for (const [, names] of listed(NAMES).matchAll(/<th [^>]*class="([^"]*)"/g)) expect(names).not.toContain("wrap-any");
});

test("a phone's card tells the order, once", () => {
  const cards = (given: PaymentRow) => {
    const page = renderToStaticMarkup(
      <PaymentList
        rows={[given]}
        columns={["status"]}
        density="compact"
        sorts={{ amount: sort, date: sort }}
        texts={texts}
      />,
    );
    return page.slice(page.indexOf("<ul")).match(/>PED-1001</g);
  };
  expect(cards(full)).toHaveLength(1);
  expect(cards({ ...full, buyer: undefined })).toHaveLength(1);
});

test("a reason stands below its status, on one line, and gives its room to the others", () => {
  const page = listed(["status", "method", "buyer", "order", "merchant", "provider", "date"]);
  const table = page.slice(0, page.indexOf("<ul"));
  const [, around = "", reason = ""] =
    /<span class="([^"]*)"><span[^>]*>(?:(?!<\/span>).)*Declined<\/span><span title="[^"]*" class="([^"]*)"/.exec(
      table,
    ) ?? [];
  expect(around.split(" ")).toContain("flex-col");
  expect(reason.split(" ")).toEqual(expect.arrayContaining(["truncate", "max-w-32", "print:whitespace-normal"]));
});

test("a method has room for the longest brand with its digits and installments", () => {
  const page = renderToStaticMarkup(
    <PaymentList
      rows={[{ ...row, method: { value: "credit", text: "Mastercard", detail: "•••• 0007 · 12x" } }]}
      columns={["method"]}
      density="compact"
      sorts={{ amount: sort, date: sort }}
      texts={texts}
    />,
  );
  expect(page).toMatch(/<td class="[^"]*\bmax-w-56\b/);
  expect(page).toMatch(/class="min-w-0 truncate">Mastercard<\/span><span class="shrink-0 [^"]*">•••• 0007 · 12x</);
});

test("a payment without an order says so above its merchant", () => {
  const page = renderToStaticMarkup(
    <PaymentList
      rows={[{ ...full, orderId: undefined }]}
      columns={["order", "merchant"]}
      density="compact"
      sorts={{ amount: sort, date: sort }}
      texts={{ ...texts, none: "–" }}
    />,
  );
  expect(page).toMatch(/>–<\/span><span title="Loja do Centro"/);
});

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

test("a merchant stands below the order, and a provider below the method, until there is room for columns", () => {
  const page = listed(["status", "method", "buyer", "order", "merchant", "provider", "date"]);
  expect(classesAround(page, "th", "merchant")).toEqual([expect.stringContaining("max-[1440px]:hidden")]);
  expect(classesAround(page, "th", "provider")).toEqual([expect.stringContaining("max-2xl:hidden")]);
  expect(page).toMatch(/PED-1001<\/span><span title="Loja do Centro" class="[^"]*min-\[1440px\]:hidden[^"]*">/);
  expect(page).toMatch(/<span title="Pagar\.me" class="[^"]*2xl:hidden[^"]*">Pagar\.me</);
  const alone = listed(["status", "merchant", "provider", "date"]);
  expect(alone).not.toContain("max-[1440px]:hidden");
  expect(alone).not.toContain("max-2xl:hidden");
  expect(alone.match(/Loja do Centro</g)).toHaveLength(1);
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

test("on a middling screen a reason stands below its status, on one line, and gives its room to the others", () => {
  const page = listed(["status", "method", "buyer", "order", "merchant", "provider", "date"]);
  const table = page.slice(0, page.indexOf("<ul"));
  const [, around = "", reason = ""] =
    /<span class="([^"]*)"><span[^>]*>(?:(?!<\/span>).)*Declined<\/span><span title="[^"]*" class="([^"]*)"/.exec(
      table,
    ) ?? [];
  expect(around.split(" ")).toContain("max-[1440px]:flex-col");
  expect(reason.split(" ")).toEqual(
    expect.arrayContaining(["max-[1440px]:truncate", "max-[1440px]:max-w-36", "print:whitespace-normal"]),
  );
});

test("a long method is cut off within its column, its digits are not", () => {
  const page = renderToStaticMarkup(
    <PaymentList
      rows={[{ ...row, method: { value: "credit", text: "Mastercard", detail: "•••• 0007" } }]}
      columns={["method"]}
      density="compact"
      sorts={{ amount: sort, date: sort }}
      texts={texts}
    />,
  );
  expect(page).toMatch(/<td class="[^"]*\bmax-w-44\b/);
  expect(page).toMatch(/class="min-w-0 truncate">Mastercard<\/span><span class="shrink-0 [^"]*">•••• 0007</);
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

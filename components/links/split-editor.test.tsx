import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { SplitEditor, sellersOf } from "@/components/links/split-editor";
import { TaskInput } from "@/components/tasks/task-input";

const SELLERS = [
  { id: "1", name: "Ana", merchantId: "north" },
  { id: "2", name: "Bia", merchantId: "south" },
];

test("sellers are offered of the chosen merchant alone, and of all where none is chosen in the form", () => {
  expect(sellersOf(SELLERS, "south").map(({ name }) => name)).toEqual(["Bia"]);
  expect(sellersOf(SELLERS, "")).toEqual([]);
  expect(sellersOf(SELLERS, undefined)).toEqual(SELLERS);
});

test("without scripts every seller can be chosen: the server tells whose they are", () => {
  const texts = {
    legend: "Split",
    hint: "",
    seller: "Seller",
    nobody: "Nobody",
    percentage: "Percentage",
    add: "Add",
    sum: "{sellers} {merchant}",
    over: "",
    merchantFirst: "Choose the merchant first.",
  };
  const page = renderToStaticMarkup(<SplitEditor sellers={SELLERS} locale="en" texts={texts} />);
  expect(page.match(/<option/g)).toHaveLength(3);
});

test("a choice that is required says so to the browser", () => {
  const page = renderToStaticMarkup(
    <TaskInput
      field={{ name: "merchantId", label: "Merchant", kind: "choice", isRequired: true, initial: "", options: [] }}
      given={undefined}
      problem={undefined}
    />,
  );
  expect(page).toMatch(/<select[^>]* required=""/);
});

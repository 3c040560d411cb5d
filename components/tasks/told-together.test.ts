import { expect, test } from "vitest";
import { toldTogether } from "@/components/tasks/told-together";

test("what the browser refuses is told with what the server finds, each field once", () => {
  const fields = { merchantId: "Fill in this field.", dueDate: "Enter all parts of the date." };
  const found = { problem: "Check the split.", problems: { amount: "Enter an amount above zero.", dueDate: "Later." } };
  expect(toldTogether(fields, found)).toEqual({
    problem: "Check the split.",
    problems: { ...fields, amount: "Enter an amount above zero." },
  });
  expect(toldTogether(fields)).toEqual({ problem: "", problems: fields });
});

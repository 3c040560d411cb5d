import { expect, test } from "vitest";
import { TEMPLATE_NAMES, TEMPLATES } from "@/app/(dashboard)/dashboard/flows/templates";
import { readRoot } from "@/lib/flows/rules/read";

const PROVIDERS = ["0192f1c4-8a10-7c3e-9b55-00000000000a", "0192f1c4-8a10-7c3e-9b55-00000000000b"];

test.each(TEMPLATE_NAMES)("the template %s is whole as it is made", (name) => {
  expect([...readRoot(TEMPLATES[name].root(PROVIDERS)).faults]).toEqual([]);
});

test("large payments are set apart by their amount alone", () => {
  const [node] = TEMPLATES.large.root(PROVIDERS);
  expect(node).toMatchObject({ if: { field: "amount", operator: "gte", value: 50_000 } });
});

import { expect, test } from "vitest";
import { tooLarge } from "@/app/(dashboard)/dashboard/sellers/file-sizes";

const LIMITS = { each: 30, together: 40, texts: { above: "above", each: "each", together: "together" } };

const formOf = (sizes: Record<string, number>): FormData => {
  const form = new FormData();
  form.set("owner.name", "x".repeat(100));
  for (const [name, size] of Object.entries(sizes)) form.set(name, new File([new Uint8Array(size)], "file"));
  return form;
};

test("files that are too large are told of beside their fields, before they are sent", () => {
  expect(tooLarge(formOf({ front: 30, back: 10, none: 0 }), LIMITS)).toBeUndefined();
  expect(tooLarge(formOf({ front: 31, back: 10, third: 32 }), LIMITS)).toEqual({ front: "each", third: "each" });
  expect(tooLarge(formOf({ front: 20, back: 25 }), LIMITS)).toEqual({ back: "together" });
  expect(tooLarge(formOf({}), LIMITS)).toBeUndefined();
});

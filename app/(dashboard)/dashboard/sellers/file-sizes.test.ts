import { expect, test } from "vitest";
import { tooLarge } from "@/app/(dashboard)/dashboard/sellers/file-sizes";

const LIMITS = {
  each: 30,
  together: 40,
  texts: { above: "above", each: "each", photo: "photo", together: "together" },
};

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

test.each([
  ["IMG_1.HEIC", "image/heic"],
  // What a browser that does not know them calls them.
  ["IMG_1.HEIC", ""],
  ["front.heif", ""],
  ["front.jpg", "image/jpeg"],
])("%s of type '%s' that is still too large is told of as a photo, with the way to send it", (name, type) => {
  const form = new FormData();
  form.set("front", new File([new Uint8Array(31)], name, { type }));
  form.set("full", new File([new Uint8Array(31)], "cnh.pdf", { type: "application/pdf" }));
  expect(tooLarge(form, LIMITS)).toEqual({ front: "photo", full: "each" });
});

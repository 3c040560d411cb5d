import { expect, test } from "vitest";
import { tooLarge } from "@/app/(dashboard)/dashboard/sellers/file-sizes";
import { type Drawing, withFittingPhotos } from "@/app/(dashboard)/dashboard/sellers/fitting-photos";
import { MOST_BYTES, MOST_BYTES_TOGETHER } from "@/lib/sellers/file-kinds";

const LIMITS = { each: MOST_BYTES, together: MOST_BYTES_TOGETHER };
const TEXTS = { above: "above", each: "each", photo: "photo", together: "together" };
const MB = 1_000_000;

const fileOf = (size: number, type = "image/jpeg", name = "IMG_1.HEIC") =>
  new File([new Uint8Array(size)], name, { type });

function formOf(files: Record<string, File>): FormData {
  const form = new FormData();
  form.set("owner.name", "Ana");
  for (const [name, file] of Object.entries(files)) form.set(name, file);
  return form;
}

/** As a photo of a phone comes out: in proportion to its pixels and its quality. */
const draw = async (_file: File, { side, quality }: Drawing) =>
  new Blob([new Uint8Array(Math.round(1.2 * MB * (side / 2_400) ** 2 * (quality / 0.85)))], { type: "image/jpeg" });

const sizesIn = (form: FormData) =>
  Object.fromEntries([...form].flatMap(([name, value]) => (value instanceof File ? [[name, value.size]] : [])));

test.each([
  ["three photos of two megabytes", [2, 2, 2]],
  ["three photos of five", [5, 5, 5]],
  ["one of five", [5]],
  ["a small one beside large ones", [0.2, 4, 4]],
  ["all six documents", [3, 3, 3, 3, 3, 3]],
])("%s fit into what is read of one form", async (_, megabytes) => {
  const form = formOf(Object.fromEntries(megabytes.map((size, at) => [`photo${at}`, fileOf(size * MB)])));
  expect(tooLarge(form, { ...LIMITS, texts: TEXTS })).toBeDefined();
  const fitting = await withFittingPhotos(form, LIMITS, draw);
  expect(tooLarge(fitting, { ...LIMITS, texts: TEXTS })).toBeUndefined();
  expect(fitting.get("owner.name")).toBe("Ana");
});

test("a photo that was drawn anew is a JPEG, and says so", async () => {
  const made = (await withFittingPhotos(formOf({ front: fileOf(5 * MB, "image/heic") }), LIMITS, draw)).get("front");
  expect(made).toMatchObject({ name: "IMG_1.jpg", type: "image/jpeg", size: 1.2 * MB });
});

test("what fits is sent as it is", async () => {
  const form = formOf({ front: fileOf(2 * MB), back: fileOf(1.9 * MB) });
  expect(await withFittingPhotos(form, LIMITS, draw)).toBe(form);
});

test("beside a PDF, which stays as it is, photos share what it leaves", async () => {
  const form = formOf({ full: fileOf(2.5 * MB, "application/pdf"), front: fileOf(2 * MB), small: fileOf(0.1 * MB) });
  const sizes = sizesIn(await withFittingPhotos(form, LIMITS, draw));
  expect(sizes.full).toBe(2.5 * MB);
  expect(sizes.small).toBe(0.1 * MB);
  expect(sizes.front).toBeLessThan(0.75 * MB);
});

test.each<[string, () => Promise<Blob | undefined>]>([
  ["cannot be opened here", () => Promise.reject(new Error("no picture"))],
  ["cannot be drawn here", async () => undefined],
  ["would come out larger", async () => fileOf(6 * MB)],
])("a picture that %s is sent as it is, and told of as too large", async (_, fails) => {
  const fitting = await withFittingPhotos(formOf({ front: fileOf(5 * MB) }), LIMITS, fails);
  expect(sizesIn(fitting)).toEqual({ front: 5 * MB });
  expect(tooLarge(fitting, { ...LIMITS, texts: TEXTS })).toEqual({ front: "photo" });
});

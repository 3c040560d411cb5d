import { expect, test } from "vitest";
import { GET } from "@/app/files/logo/[name]/route";
import { ownName } from "@/lib/storage/names";
import { fileStore } from "@/lib/storage/storage";

const get = (name: string) =>
  GET(new Request("http://trilho.test/files/logo/x"), { params: Promise.resolve({ name }) });

test("200: a logo is what it is and nothing else, and may be kept for a year", async () => {
  const name = ownName("logo", "png");
  await fileStore().put(name, Buffer.from("pixels"));
  const answer = await get(name.slice("logo/".length));
  expect(answer.status).toBe(200);
  expect(await answer.text()).toBe("pixels");
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    "content-type": "image/png",
    "x-content-type-options": "nosniff",
    "cache-control": "public, max-age=31536000, immutable",
    "content-security-policy": "default-src 'none'; sandbox",
  });
  await fileStore().delete(name);
});

test.each([
  "../../secrets.json",
  "..%2f..%2fsecrets.json",
  "logo.png",
  `${"a".repeat(32)}.svg`,
  `${"a".repeat(32)}.png`,
])("404: %s", async (name) => {
  expect((await get(name)).status).toBe(404);
});

test("404: a file of another folder has no logo's address", async () => {
  const name = ownName("document", "pdf");
  await fileStore().put(name, Buffer.from("contract"));
  expect((await get(name)).status).toBe(404);
  expect((await get(`../${name}`)).status).toBe(404);
  await fileStore().delete(name);
});

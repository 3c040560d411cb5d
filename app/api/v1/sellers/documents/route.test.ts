import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { systemSql } from "@/db/client";
import { inTransaction } from "@/lib/context";
import { contentOf } from "@/lib/sellers/document-content";
import { openClient } from "@/lib/testing/api";
import type { List } from "@/lib/testing/api-client";
import { withMerchant } from "@/lib/testing/payments";
import { aPicture, documentForm, newSeller, uploadedDocument } from "@/lib/testing/sellers";

const PATH = "/v1/sellers/documents";

describe("a document", () => {
  it("is kept by its content, encrypted, and without what hides behind the picture", async () => {
    const client = await openClient();
    const photo = await sharp({ create: { width: 40, height: 20, channels: 3, background: "#123456" } })
      .withExif({ IFD3: { GPSLatitudeRef: "S", GPSLatitude: "23/1 33/1 0/1" } })
      .jpeg()
      .toBuffer();
    expect(photo.includes("Exif")).toBe(true);
    const reply = await client.call("POST", PATH, { raw: documentForm(photo, "RG_FRONT") });
    expect(reply).toMatchObject({ status: 201, body: { type: "RG_FRONT", status: "uploaded" } });
    const { id } = reply.body;
    expect((await client.make("POST", PATH, { raw: documentForm(photo, "RG_FRONT") })).id).toBe(id);
    expect((await client.make<List>("GET", PATH)).items.map((one) => one.id)).toEqual([id]);
    const kept = await inTransaction(await client.context(), (ctx) => contentOf(ctx, id));
    expect([kept?.mime, kept?.file.includes("Exif"), (await sharp(kept?.file).metadata()).width]).toEqual([
      "image/jpeg",
      false,
      40,
    ]);
    const [row] = await systemSql()`select ciphertext from seller_documents where id = ${id}`;
    expect(row?.ciphertext.includes(Buffer.from([0xff, 0xd8, 0xff]))).toBe(false);
  });

  it.each([
    ["text", Buffer.from("hello"), "SELFIE", 400],
    ["a page that says it is a picture", Buffer.from("<html><img src=x></html>"), "SELFIE", 400],
    ["a picture that is cut off", aPicture().subarray(0, 40), "SELFIE", 400],
    ["a PDF where none is taken", Buffer.from("%PDF-1.4\n%%EOF\n"), "RG_FRONT", 400],
    ["more than 3 MB", Buffer.concat([aPicture(), Buffer.alloc(3 * 1024 * 1024)]), "SELFIE", 413],
    ["a type nobody knows", aPicture(), "PASSPORT", 400],
  ])("refuses %s", async (_name, file, type, status) => {
    const client = await openClient();
    expect((await client.call("POST", PATH, { raw: documentForm(file, type) })).status).toBe(status);
    expect((await client.make<List>("GET", PATH)).meta.totalItems).toBe(0);
  });

  it("belongs to the seller that names it, or is forgotten after 7 days", async () => {
    const { client, merchant } = await withMerchant(await openClient());
    const [named, unnamed] = [await uploadedDocument(client), await uploadedDocument(client)];
    const pdf = await client.make("POST", PATH, { raw: documentForm(Buffer.from("%PDF-1.4\n%%EOF\n"), "CNH_FULL") });
    const body = newSeller(merchant.id, { documents: [named] });
    expect(await client.make("POST", "/v1/sellers", { body })).toMatchObject({ documents: [named] });
    expect((await client.call("DELETE", `${PATH}/${named}`)).error?.businessCode).toBe("document_in_use");
    expect((await client.call("DELETE", `${PATH}/${pdf.id}`)).status).toBe(204);
    const [erased] = await systemSql()`select ciphertext from seller_documents where id = ${pdf.id}`;
    expect(erased?.ciphertext).toBeNull();
    await client.make("POST", "/v1/sandbox/clock", { body: { advance: "P8D" } });
    expect((await client.call("GET", `${PATH}/${unnamed}`)).status).toBe(404);
    expect((await client.make<List>("GET", PATH)).items.map(({ id }) => id)).toEqual([named]);
  });
});

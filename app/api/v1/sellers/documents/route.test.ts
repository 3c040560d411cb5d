import { crc32, deflateSync } from "node:zlib";
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

const SCRIPT = "<script>alert(document.cookie)</script>";
const ARCHIVE = Buffer.concat([Buffer.from("PK\u0003\u0004", "latin1"), Buffer.from(`${SCRIPT}\n`.repeat(20))]);

/** One pixel of 24 bits; `more` is what its header says of bytes behind it. */
function bitmap(more = 0): Buffer {
  const file = Buffer.alloc(58);
  file.write("BM");
  file.writeUInt32LE(file.length + more, 2);
  file.writeUInt32LE(54, 10);
  file.writeUInt32LE(40, 14);
  file.writeInt32LE(1, 18);
  file.writeInt32LE(1, 22);
  file.writeUInt16LE(1, 26);
  file.writeUInt16LE(24, 28);
  return file;
}

/** Between its header and its pixels there is room for anything. */
function hiding(): Buffer {
  const file = Buffer.concat([bitmap().subarray(0, 54), ARCHIVE, Buffer.alloc(4)]);
  file.writeUInt32LE(file.length, 2);
  file.writeUInt32LE(54 + ARCHIVE.length, 10);
  return file;
}

/** 20,000 × 20,000 pixels of one colour: a few kilobytes here, more than a gigabyte for whoever opens it. */
function bomb(): Buffer {
  const size = 20_000;
  const chunk = (name: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(name), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.set([1, 0], 8);
  const rows = deflateSync(Buffer.alloc((size / 8 + 1) * size));
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk("IHDR", header), chunk("IDAT", rows), chunk("IEND", Buffer.alloc(0))]);
}

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
    ["a picture that would be 400 million pixels", bomb(), "SELFIE", 400],
    ["an archive behind a bitmap of one pixel", Buffer.concat([bitmap(ARCHIVE.length), ARCHIVE]), "SELFIE", 400],
    ["an archive in front of a bitmap's pixels", hiding(), "SELFIE", 400],
    ["an archive that says it is a PDF", Buffer.concat([ARCHIVE, Buffer.from("%PDF-1.4\n%%EOF\n")]), "SELFIE", 400],
    ["more than 3 MB", Buffer.concat([aPicture(), Buffer.alloc(3 * 1024 * 1024)]), "SELFIE", 413],
    ["a type nobody knows", aPicture(), "PASSPORT", 400],
  ])("refuses %s", async (_name, file, type, status) => {
    const client = await openClient();
    expect((await client.call("POST", PATH, { raw: documentForm(file, type) })).status).toBe(status);
    expect((await client.make<List>("GET", PATH)).meta.totalItems).toBe(0);
  });

  it.each(["png", "jpeg", "webp"] as const)("keeps nothing of what stands inside or behind a %s", async (kind) => {
    const client = await openClient();
    const drawn = await sharp({ create: { width: 8, height: 8, channels: 3, background: "#fedcba" } })
      .withExif({ IFD0: { ImageDescription: SCRIPT }, IFD3: { GPSLatitudeRef: "S", GPSLatitude: "23/1 33/1 0/1" } })
      .withIccProfile("p3")
      [kind]()
      .toBuffer();
    const sent = Buffer.concat([drawn, ARCHIVE, Buffer.from(SCRIPT)]);
    const { id } = await client.make("POST", PATH, { raw: documentForm(sent) });
    const kept = await inTransaction(await client.context(), (ctx) => contentOf(ctx, id));
    const file = kept?.file ?? Buffer.alloc(0);
    expect(await sharp(file).metadata()).toMatchObject({ format: kind, width: 8, height: 8 });
    expect([SCRIPT, "Exif", "PK\u0003\u0004"].filter((hidden) => file.includes(hidden, 0, "latin1"))).toEqual([]);
  });

  it("a bitmap is taken as it is, with nothing beside its pixels", async () => {
    const client = await openClient();
    const { id } = await client.make("POST", PATH, { raw: documentForm(bitmap()) });
    const kept = await inTransaction(await client.context(), (ctx) => contentOf(ctx, id));
    expect([kept?.mime, kept?.file.equals(bitmap())]).toEqual(["image/bmp", true]);
  });

  it("413 by name, where it is too large", async () => {
    const client = await openClient();
    const large = Buffer.concat([aPicture(), Buffer.alloc(3 * 1024 * 1024)]);
    const reply = await client.call("POST", PATH, { raw: documentForm(large) });
    expect(reply).toMatchObject({ status: 413, error: { businessCode: "document_too_large" } });
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

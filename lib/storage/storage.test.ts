import { createHash, createHmac } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { inTransaction } from "@/lib/context";
import { claimFile, eraseExpiredFiles, expireFile, keepFile } from "@/lib/storage/files";
import { contentTypeOf, isOwnName, ownName } from "@/lib/storage/names";
import { createStore, type FileStore, fileStore } from "@/lib/storage/storage";
import { openClient } from "@/lib/testing/api";

const ACCESS = { region: "sa-east-1", id: "AKIDEXAMPLE", secret: "wJalrXUtnFEMI" };
const NO_S3 = {
  S3_ENDPOINT: undefined,
  S3_BUCKET: undefined,
  S3_REGION: ACCESS.region,
  S3_ACCESS_KEY_ID: undefined,
  S3_SECRET_ACCESS_KEY: undefined,
};

const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest();
const sha = (bytes: Buffer | string) => createHash("sha256").update(bytes).digest("hex");

/** As Amazon documents it: the signature a store computes for itself and compares. */
function signatureOf(request: IncomingMessage, body: Buffer): string {
  const { authorization = "" } = request.headers;
  const [, names = ""] = /SignedHeaders=([^,]+)/.exec(authorization) ?? [];
  const at = String(request.headers["x-amz-date"]);
  const scope = [at.slice(0, 8), ACCESS.region, "s3", "aws4_request"];
  const canonical = [
    request.method,
    new URL(request.url ?? "/", "http://store").pathname,
    "",
    ...names.split(";").map((name) => `${name}:${String(request.headers[name]).trim()}`),
    "",
    names,
    request.headers["x-amz-content-sha256"] === "UNSIGNED-PAYLOAD" ? "UNSIGNED-PAYLOAD" : sha(body),
  ].join("\n");
  const key = scope.reduce<string | Buffer>(hmac, `AWS4${ACCESS.secret}`);
  return hmac(key, ["AWS4-HMAC-SHA256", at, scope.join("/"), sha(canonical)].join("\n")).toString("hex");
}

/** A store of one bucket that lets nobody in whose signature is not its own. */
const objects = new Map<string, { content: Buffer; type: string | undefined }>();
let fault: number | undefined;
const s3: Server = createServer((request, response) => {
  serve(request).then(
    ([status, body]) => response.writeHead(status).end(body),
    () => response.destroy(),
  );
});

async function serve(request: IncomingMessage): Promise<[number, Buffer?]> {
  const body = await buffer(request);
  const signature = /Signature=([0-9a-f]{64})$/.exec(request.headers.authorization ?? "")?.[1];
  if (signature !== signatureOf(request, body)) return [403];
  if (fault !== undefined) return [fault];
  const path = request.url ?? "";
  if (!path.startsWith("/shop-files/")) return [404];
  if (request.method === "PUT") objects.set(path, { content: body, type: request.headers["content-type"] });
  if (request.method === "DELETE") objects.delete(path);
  if (request.method !== "GET") return [request.method === "PUT" ? 200 : 204];
  const found = objects.get(path);
  return found ? [200, found.content] : [404];
}

const folder = mkdtempSync(join(tmpdir(), "trilho-files-"));
const stores = new Map<string, FileStore>();
const s3With = (changes: object = {}): FileStore => {
  // A TCP server that listens has an address of this form.
  const { port } = s3.address() as AddressInfo;
  return createStore({
    TRILHO_DATA_DIR: folder,
    S3_ENDPOINT: `http://127.0.0.1:${port}`,
    S3_BUCKET: "shop-files",
    S3_REGION: ACCESS.region,
    S3_ACCESS_KEY_ID: ACCESS.id,
    S3_SECRET_ACCESS_KEY: ACCESS.secret,
    ...changes,
  });
};

beforeAll(async () => {
  await new Promise<void>((ready) => s3.listen(0, "127.0.0.1", ready));
  stores.set("local disk", createStore({ TRILHO_DATA_DIR: folder, ...NO_S3 }));
  stores.set("S3", s3With());
});
afterAll(() => {
  s3.closeAllConnections();
  s3.close();
  rmSync(folder, { recursive: true });
});

describe.each(["local disk", "S3"])("on %s", (kind) => {
  const store = () => stores.get(kind)!;

  test("a file comes back byte by byte, is replaced whole, and is gone when deleted", async () => {
    const name = ownName("logo", "png");
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, n) => n));
    await store().put(name, bytes);
    expect(await store().get(name)).toEqual(bytes);
    await store().put(name, Buffer.from("other"));
    expect((await store().get(name))?.toString()).toBe("other");
    await store().delete(name);
    expect(await store().get(name)).toBeUndefined();
    await store().delete(name);
  });

  test.each(["../secrets.json", "logo/../../x.png", "/etc/passwd", "logo/x.png", `logo/${"a".repeat(32)}.svg`, ""])(
    "%j is no name, whatever is asked",
    async (name) => {
      for (const act of [store().get(name), store().put(name, Buffer.from("x")), store().delete(name)]) {
        await expect(act).rejects.toThrow("not a name of the file store");
      }
    },
  );
});

test("the local disk leaves nothing half written behind", async () => {
  await stores.get("local disk")!.put(ownName("logo", "png"), Buffer.from("x"));
  expect(readdirSync(join(folder, "files", "logo")).filter((name) => name.endsWith(".part"))).toEqual([]);
});

describe("S3", () => {
  test("is told what a file is", async () => {
    const name = ownName("logo", "jpg");
    await stores.get("S3")!.put(name, Buffer.from("x"));
    expect(objects.get(`/shop-files/${name}`)?.type).toBe("image/jpeg");
  });

  test("refuses another key, and the refusal names no key", async () => {
    const wrong = s3With({ S3_SECRET_ACCESS_KEY: "wrong" });
    await expect(wrong.put(ownName("logo", "png"), Buffer.from("x"))).rejects.toThrow(
      /^The file store answered 403 to PUT$/,
    );
  });

  test("a bucket that is not there and a store that fails are no missing files", async () => {
    await expect(s3With({ S3_BUCKET: "other" }).put(ownName("logo", "png"), Buffer.from("x"))).rejects.toThrow(
      "no such",
    );
    fault = 500;
    await expect(stores.get("S3")!.get(ownName("logo", "png"))).rejects.toThrow("answered 500");
    fault = undefined;
  });
});

test("names are our own, never alike, and say what they hold", () => {
  const names = Array.from({ length: 1_000 }, () => ownName("report", "gz"));
  expect(new Set(names).size).toBe(1_000);
  expect(names.every(isOwnName)).toBe(true);
  expect(contentTypeOf(ownName("document", "pdf"))).toBe("application/pdf");
});

describe("the files of an account", () => {
  const kept = async () => {
    const client = await openClient();
    const ctx = await client.context();
    const name = ownName("logo", "png");
    await keepFile(ctx, name, Buffer.from("logo"));
    return { client, ctx, name };
  };
  const later = (name: string) =>
    systemSql()`update stored_files set expires_at = expires_at - interval '2 days' where name = ${name}`;
  const isThere = async (name: string) => (await fileStore().get(name)) !== undefined;

  test("a file nothing points to is erased after a day, with its row", async () => {
    const { name } = await kept();
    await eraseExpiredFiles();
    expect(await isThere(name)).toBe(true);
    await later(name);
    await eraseExpiredFiles();
    expect(await isThere(name)).toBe(false);
    expect(await systemSql()`select from stored_files where name = ${name}`).toHaveLength(0);
  });

  test("a file that is used stays until it is let go", async () => {
    const { ctx, name } = await kept();
    await inTransaction(ctx, (inside) => claimFile(inside, name));
    await later(name);
    await eraseExpiredFiles();
    expect(await isThere(name)).toBe(true);
    await inTransaction(ctx, (inside) => expireFile(inside, name, 60));
    await later(name);
    await eraseExpiredFiles();
    expect(await isThere(name)).toBe(false);
  });

  test("another account can neither use nor let go of it", async () => {
    const { name } = await kept();
    const other = await (await openClient()).context();
    await expect(inTransaction(other, (inside) => claimFile(inside, name))).rejects.toThrow("erased");
    await inTransaction(other, (inside) => expireFile(inside, name, -60));
    await eraseExpiredFiles();
    expect(await isThere(name)).toBe(true);
  });

  test("nothing is stored inside a transaction", async () => {
    const { ctx } = await kept();
    await expect(
      inTransaction(ctx, (inside) => keepFile(inside, ownName("logo", "png"), Buffer.from("x"))),
    ).rejects.toThrow("before the transaction");
    expect(existsSync(folder)).toBe(true);
  });
});

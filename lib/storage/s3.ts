import { AwsClient } from "aws4fetch";
import { Agent, request } from "undici";
import { contentTypeOf } from "@/lib/storage/names";
import type { FileStore } from "@/lib/storage/storage";

export interface S3Settings {
  /** Without a slash at the end; the bucket follows it as the first part of the path. */
  endpoint: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

const TIMEOUT_MS = 15_000;
const CONNECT_TIMEOUT_MS = 3_000;
const LARGEST_FILE_BYTES = 64 * 1024 * 1024;
const CONNECTIONS = 16;

/** Any store that speaks the S3 API: path style, signature version 4. */
export function s3Store({ endpoint, bucket, region, ...credentials }: S3Settings): FileStore {
  // The signer's own client would send again for minutes; ours gives up and says so.
  const signer = new AwsClient({ ...credentials, region, service: "s3", retries: 0 });
  const agent = new Agent({
    connections: CONNECTIONS,
    maxResponseSize: LARGEST_FILE_BYTES,
    connect: { timeout: CONNECT_TIMEOUT_MS },
  });

  async function call(method: "PUT" | "GET" | "DELETE", name: string, content?: Buffer) {
    const url = `${endpoint}/${encodeURIComponent(bucket)}/${name}`;
    const signed = await signer.sign(url, {
      method,
      // Guarantee: a Buffer is a Uint8Array over an ArrayBuffer; Node's types call it ArrayBufferLike.
      ...(content === undefined
        ? {}
        : { body: content as Uint8Array<ArrayBuffer>, headers: { "content-type": contentTypeOf(name) } }),
    });
    const answer = await request(url, {
      method,
      dispatcher: agent,
      headers: Object.fromEntries(signed.headers),
      ...(content === undefined ? {} : { body: content }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const body = Buffer.from(await answer.body.arrayBuffer());
    if (answer.statusCode >= 300 && answer.statusCode !== 404) {
      // The answer may name the key; its number says enough.
      throw new Error(`The file store answered ${answer.statusCode} to ${method}`);
    }
    return { isFound: answer.statusCode !== 404, body };
  }

  return {
    async put(name, content) {
      const { isFound } = await call("PUT", name, content);
      if (!isFound) throw new Error("The file store has no such bucket");
    },
    async get(name) {
      const { isFound, body } = await call("GET", name);
      return isFound ? body : undefined;
    },
    async linkTo(name, seconds, headers) {
      const url = new URL(`${endpoint}/${encodeURIComponent(bucket)}/${name}`);
      url.searchParams.set("X-Amz-Expires", String(seconds));
      for (const [header, value] of Object.entries(headers)) url.searchParams.set(`response-${header}`, value);
      return (await signer.sign(url, { aws: { signQuery: true } })).url;
    },
    async delete(name) {
      await call("DELETE", name);
    },
  };
}

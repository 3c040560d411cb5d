import { join } from "node:path";
import { type Env, env } from "@/lib/env";
import { diskStore } from "@/lib/storage/disk";
import { isOwnName } from "@/lib/storage/names";
import { s3Store } from "@/lib/storage/s3";

/** Whole files under names of our own (lib/storage/names.ts). */
export interface FileStore {
  put(name: string, content: Buffer): Promise<void>;
  get(name: string): Promise<Buffer | undefined>;
  /** An address that answers the file for so long, with these headers; of a store that browsers can reach. */
  linkTo?(name: string, seconds: number, headers: Readonly<Record<string, string>>): Promise<string>;
  /** What is not there is deleted already. */
  delete(name: string): Promise<void>;
}

type StoreSettings = Pick<
  Env,
  "TRILHO_DATA_DIR" | "S3_ENDPOINT" | "S3_BUCKET" | "S3_REGION" | "S3_ACCESS_KEY_ID" | "S3_SECRET_ACCESS_KEY"
>;

/** This machine's data folder, or an S3-compatible store when one is configured. */
export function createStore(settings: StoreSettings): FileStore {
  const { S3_ENDPOINT, S3_BUCKET, S3_REGION, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = settings;
  if (S3_ENDPOINT && S3_BUCKET && S3_ACCESS_KEY_ID && S3_SECRET_ACCESS_KEY) {
    return guarded(
      s3Store({
        endpoint: S3_ENDPOINT,
        bucket: S3_BUCKET,
        region: S3_REGION,
        accessKeyId: S3_ACCESS_KEY_ID,
        secretAccessKey: S3_SECRET_ACCESS_KEY,
      }),
    );
  }
  return guarded(diskStore(join(settings.TRILHO_DATA_DIR, "files")));
}

function guarded(store: FileStore): FileStore {
  const own = (name: string): string => {
    if (!isOwnName(name)) throw new Error("not a name of the file store");
    return name;
  };
  return {
    ...(store.linkTo
      ? { linkTo: async (name, seconds, headers) => store.linkTo?.(own(name), seconds, headers) ?? "" }
      : {}),
    put: async (name, content) => store.put(own(name), content),
    get: async (name) => store.get(own(name)),
    delete: async (name) => store.delete(own(name)),
  };
}

let memo: FileStore | undefined;

export function fileStore(): FileStore {
  memo ??= createStore(env());
  return memo;
}

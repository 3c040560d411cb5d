import { randomBytes } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { FileStore } from "@/lib/storage/storage";

/** Files under the data folder of this machine. */
export function diskStore(root: string): FileStore {
  const pathOf = (name: string): string => join(root, name);
  return {
    async put(name, content) {
      const path = pathOf(name);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      // A reader meets the whole file or none.
      const part = `${path}.${randomBytes(4).toString("hex")}.part`;
      await writeFile(part, content, { mode: 0o600 });
      await rename(part, path);
    },
    async get(name) {
      try {
        return await readFile(pathOf(name));
      } catch (thrown) {
        if (thrown instanceof Error && "code" in thrown && thrown.code === "ENOENT") return undefined;
        throw thrown;
      }
    },
    delete: (name) => rm(pathOf(name), { force: true }),
  };
}

import { randomBytes } from "node:crypto";

/** Folders of the file store, and what a file in them may be. */
export const FOLDERS = {
  logo: ["png", "jpg"],
  document: ["pdf", "png", "jpg"],
  report: ["gz", "xlsx"],
} as const satisfies Record<string, readonly string[]>;
export type Folder = keyof typeof FOLDERS;

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  pdf: "application/pdf",
  gz: "application/gzip",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
};

const NAME_BYTES = 16;
const OWN_NAME = /^([a-z]+)\/[0-9a-f]{32}\.([a-z]{2,4})$/;

/** `logo/<128 random bits>.png`: never what somebody called their file. */
export function ownName<F extends Folder>(folder: F, extension: (typeof FOLDERS)[F][number]): string {
  return `${folder}/${randomBytes(NAME_BYTES).toString("hex")}.${extension}`;
}

/** Only names made here are ever looked for: nothing that leads elsewhere reaches a disk or another server. */
export function isOwnName(name: string): boolean {
  const [, folder = "", extension = ""] = OWN_NAME.exec(name) ?? [];
  return Object.entries<readonly string[]>(FOLDERS).some(
    ([known, extensions]) => known === folder && extensions.includes(extension),
  );
}

export function contentTypeOf(name: string): string {
  const type = isOwnName(name) ? CONTENT_TYPES[name.slice(name.lastIndexOf(".") + 1)] : undefined;
  if (type === undefined) throw new Error("not a name of the file store");
  return type;
}

import type { Breach } from "@/scripts/layers/rules";
import type { Source } from "@/scripts/layers/sources";

const TABLE = /^\| Folder \| What \|$[\s\S]*?(?=\n\n)/m;
const NAMED = /`(lib\/[a-z][a-z0-9/-]*)`/g;

/** Folders of lib that README's table does not name, and names there that are no folder. */
export function untoldFolders(sources: readonly Source[], readme: string): Breach[] {
  const table = TABLE.exec(readme)?.[0] ?? "";
  const named = new Set([...table.matchAll(NAMED)].map(([, folder = ""]) => folder));
  const paths = sources.map(({ path }) => path);
  const folders = new Set(paths.flatMap((path) => /^lib\/[^/]+(?=\/)/.exec(path) ?? []));
  const breach = (why: string): Breach => ({ path: "README.md", line: 1, why });
  return [
    ...[...folders].filter((folder) => !named.has(folder)).map((folder) => breach(`the table lacks ${folder}`)),
    ...[...named]
      .filter((folder) => !paths.some((path) => path.startsWith(`${folder}/`)))
      .map((folder) => breach(`the table names ${folder}, which does not exist`)),
  ];
}

import { POINTS } from "@/lib/testing/kills/seams";
import type { Rewrite } from "@/lib/testing/simulator/seams";

/** Small enough that each report of the test has several files. */
export const ROWS_PER_FILE = 20;

/** As for payments, and around each file and inside its writing; with files of so few rows that there are several. */
export const REPORT_POINTS: readonly Rewrite[] = [
  ...POINTS.filter(({ file }) => file === "db/client.ts"),
  {
    file: "lib/reports/write.ts",
    find: "export const ROWS_PER_FILE = 50_000;",
    put: `export const ROWS_PER_FILE = ${ROWS_PER_FILE};`,
  },
  {
    file: "lib/reports/write.ts",
    find: "    const at = await positionOf(sql, ctx.account.id);",
    put: '    await globalThis.trilhoKill.reaches("snapshot");\n    const at = await positionOf(sql, ctx.account.id);',
  },
  {
    file: "lib/storage/files.ts",
    find: "  await fileStore().put(name, content);",
    put: '  await fileStore().put(name, content);\n  await globalThis.trilhoKill.reaches("stored");',
  },
  {
    file: "lib/storage/disk.ts",
    find: "      await writeFile(part, content, { mode: 0o600 });",
    put: '      await writeFile(part, content.subarray(0, content.length / 2), { mode: 0o600 });\n      await globalThis.trilhoKill.reaches("half a file");\n      await writeFile(part, content, { mode: 0o600 });',
  },
];

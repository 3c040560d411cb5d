import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Meets the database, or loads the whole API: more than most of these tests take themselves. */
const LOADS_MUCH = /from "@\/(?:lib\/testing\/|db\/client)/;
/** Of these a process of its own is the point, or what they leave behind would meet the next file. */
const WANTS_ITS_OWN_PROCESS =
  /process\.env(?:\.\w+ = |\[|, )|delete process\.env|lib\/webhooks\/testing"|vi\.(?:mock|doMock|hoisted|resetModules|stub|useFake|setSystemTime)/;
const FOLDERS = ["app", "lib"];
const LEFT_OUT = /^lib\/(?:testing|engine|http|keys|proof)\//;

/**
 * The test files that one process runs after each other without loading everything again, each with a database of its
 * own; as paths from the root.
 */
export const filesKeepingModules = (root: string): string[] =>
  FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((name) => `${folder}/${name}`),
  ).filter((file) => {
    if (!/\.test\.tsx?$/.test(file) || LEFT_OUT.test(file)) return false;
    const text = readFileSync(join(root, file), "utf8");
    return LOADS_MUCH.test(text) && !WANTS_ITS_OWN_PROCESS.test(text);
  });

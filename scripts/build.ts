import { rmSync, symlinkSync } from "node:fs";
import { basename } from "node:path";
import { CURRENT, ensureBuild } from "@/scripts/start/build";
import { inRoot } from "@/scripts/start/paths";
import { say } from "@/scripts/start/progress";

/** npm run build: makes the build of these sources unless it is there, under a name that deploy files can know. */
const dist = await ensureBuild();
rmSync(inRoot(CURRENT), { force: true });
symlinkSync(basename(dist), inRoot(CURRENT));
say(`${dist} is .next/current`);

import { afterAll, beforeAll } from "vitest";
import { MIRROR_CAPABILITIES } from "@/lib/testing/mirror/capabilities";
import { mirrorRig } from "@/lib/testing/mirror/rig";
import { type MirrorServer, startMirror } from "@/lib/testing/mirror/server";
import { describeProvider } from "@/lib/testing/provider-conformance";

let mirror: MirrorServer;
beforeAll(async () => {
  mirror = await startMirror();
});
afterAll(() => mirror.close());

describeProvider("MIRROR", MIRROR_CAPABILITIES, () => Promise.resolve(mirrorRig(mirror)), {
  hosts: 2,
  continues: true,
});

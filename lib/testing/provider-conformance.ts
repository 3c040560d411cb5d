import { beforeAll, describe, test } from "vitest";
import type { Capabilities } from "@/lib/providers/provider";
import { leftOutIf } from "@/lib/testing/left-out";
import { AUTHORIZE_CASES } from "@/lib/testing/provider-conformance/authorize";
import type { Case, Traits } from "@/lib/testing/provider-conformance/case";
import { CONTRACT_CASES } from "@/lib/testing/provider-conformance/contract";
import { MODIFY_CASES } from "@/lib/testing/provider-conformance/modify";
import { OPEN_CASES } from "@/lib/testing/provider-conformance/open-payments";
import { RECIPIENT_CASES } from "@/lib/testing/provider-conformance/recipients";
import type { Rig } from "@/lib/testing/provider-conformance/rig";
import { SECURITY_CASES } from "@/lib/testing/provider-conformance/security";
import { SETTLEMENT_CASES } from "@/lib/testing/provider-conformance/settlement";
import { TIMEOUT_CASES } from "@/lib/testing/provider-conformance/timeouts";
import { WEBHOOK_CASES } from "@/lib/testing/provider-conformance/webhooks";

/** The 66 cases of spec/providers.md section 4, and those of spec/adapters.md from 67 on. */
export const CASES: readonly Case[] = [
  ...AUTHORIZE_CASES,
  ...TIMEOUT_CASES,
  ...MODIFY_CASES,
  ...OPEN_CASES,
  ...WEBHOOK_CASES,
  ...SECURITY_CASES,
  ...CONTRACT_CASES,
  ...RECIPIENT_CASES,
  ...SETTLEMENT_CASES,
].sort((a, b) => a.number - b.number);

const NOT_APPLICABLE = "their provider declares that the case does not apply to it";

/** The kit: every adapter runs every case; a case is left out only because a declared capability says so. */
export function describeProvider(
  name: string,
  capabilities: Capabilities,
  connect: () => Promise<Rig>,
  traits: Traits = { hosts: 1, continues: false },
): void {
  describe(`${name} as a payment provider`, () => {
    let rig: Rig;
    beforeAll(async () => {
      rig = await connect();
    });
    for (const { number, title, notApplicable, run } of CASES) {
      const reason = notApplicable?.(capabilities, traits);
      if (reason !== undefined)
        test(`${number}: ${title} (N/A: ${reason})`, (context) => leftOutIf(context, NOT_APPLICABLE));
      else test(`${number}: ${title}`, () => run(rig, traits));
    }
  });
}

import { isUnreached } from "@/lib/merchants/test-connection";

const OWN_CODE = /^(not_found_\w+|found|enabled)$/;

/**
 * What providers say in their own words is shown; codes are put in words. Of null the kind has no call that would tell.
 */
export function testResult(passed: boolean | null, words: string) {
  if (passed === null) return { tone: "neutral", wording: "testedNothing" } as const;
  if (passed) return { tone: "success", wording: OWN_CODE.test(words) ? "wellPlain" : "testedWell" } as const;
  return { tone: "danger", wording: isUnreached(words) ? "badlyUnreached" : "testedBadly" } as const;
}

import { isUnreached } from "@/lib/merchants/test-connection";

const OWN_CODE = /^(not_found_\w+|found|enabled)$/;

/**
 * What providers say in their own words is shown; codes are put in words. Of null the kind has no call that would tell.
 */
export function testResult(passed: boolean | null, words: string) {
  if (passed === null) return { tone: "neutral", said: "nothing" } as const;
  if (passed) return { tone: "success", said: OWN_CODE.test(words) ? "plain" : "well" } as const;
  return { tone: "danger", said: isUnreached(words) ? "unreached" : "badly" } as const;
}

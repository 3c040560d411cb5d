import { useTranslations } from "next-intl";
import type { FaultCode, WarningCode } from "@/components/flows/editor/lint";

const LINT_TEXTS = {
  choose: "lintChoose",
  gone: "lintGone",
  otherMerchant: "lintOtherMerchant",
  analyst: "lintAnalyst",
  noAnalyst: "lintNoAnalyst",
  method: "lintMethod",
  three: "lintThree",
  unreachable: "lintUnreachable",
  analysisLast: "lintAnalysisLast",
  twoAnalyses: "lintTwoAnalyses",
  analysisCredit: "lintAnalysisCredit",
  challengeCards: "lintChallengeCards",
  before: "lintBefore",
  weights: "lintWeights",
  depth: "lintDepth",
  count: "lintCount",
  ranked: "lintRanked",
  declines: "lintDeclines",
  trial: "lintTrial",
  numbers: "lintNumbers",
  value: "lintValue",
  unavailable: "lintUnavailable",
  paused: "lintPaused",
  installments: "lintInstallments",
  noFallback: "lintNoFallback",
  unrouted: "lintUnrouted",
} as const satisfies Record<FaultCode | WarningCode, string>;

/** A fault or a warning in words, with what to do about it. */
export function useLintWords(): (code: FaultCode | WarningCode) => string {
  const t = useTranslations("flows");
  return (code) => t(LINT_TEXTS[code]);
}

import { getTranslations } from "next-intl/server";
import type { PayoutAccount } from "@/db/schema/merchants";

export const merchantWords = () => getTranslations("merchants");

/** Of the account that payment files pay from: what each field is called, and what is said where it does not fit the layout. */
export const PAYOUT_FIELDS = {
  bank: { wording: "payoutBank", problem: "payoutBankProblem", isRequired: true },
  agreement: { wording: "payoutAgreement", problem: "payoutTextProblem", isRequired: true },
  branchNumber: { wording: "payoutBranch", problem: "payoutDigitsProblem", isRequired: true },
  branchCheckDigit: { wording: "payoutBranchDigit", problem: "payoutCheckProblem", isRequired: false },
  accountNumber: { wording: "payoutNumber", problem: "payoutDigitsProblem", isRequired: true },
  accountCheckDigit: { wording: "payoutNumberDigit", problem: "payoutCheckProblem", isRequired: false },
  holderName: { wording: "payoutHolder", problem: "payoutTextProblem", isRequired: true },
  holderDocument: { wording: "payoutDocument", problem: "payoutDocumentProblem", isRequired: true },
} as const satisfies Record<keyof PayoutAccount, { wording: string; problem: string; isRequired: boolean }>;

export const RAIL_TEXTS = { sandbox: "railSandbox", file: "railFile", none: "railNone" } as const;

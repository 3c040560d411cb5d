import { getFormatter, getLocale, getTranslations } from "next-intl/server";
import { formatCents } from "@/components/ui/money-format";

/** What a member of an entry is called; another one keeps its own name. */
const FIELD_TEXTS = {
  access: "fAccess",
  account: "fAccount",
  acting: "fActing",
  added: "fAdded",
  addresses: "fAddresses",
  amount: "fAmount",
  answeredWith: "fAnsweredWith",
  askedBy: "fAskedBy",
  autoSettleSeconds: "fAutoSettleSeconds",
  brand: "fBrand",
  by: "fBy",
  byEmail: "fByEmail",
  byWebhook: "fByWebhook",
  changedCredentials: "fChangedCredentials",
  count: "fCount",
  createdAt: "fCreatedAt",
  cron: "fCron",
  currency: "fCurrency",
  customerId: "fCustomerId",
  dispute: "fDispute",
  documentId: "fDocumentId",
  dueDate: "fDueDate",
  effectiveFrom: "fEffectiveFrom",
  email: "fEmail",
  endpoint: "fEndpoint",
  event: "fEvent",
  failures: "fFailures",
  fields: "fFields",
  filters: "fFilters",
  followUp: "fFollowUp",
  health: "fHealth",
  hint: "fHint",
  id: "fId",
  installments: "fInstallments",
  interval: "fInterval",
  isActive: "fIsActive",
  isCompany: "fIsCompany",
  isOn: "fIsOn",
  isShared: "fIsShared",
  keyHint: "fKeyHint",
  kind: "fKind",
  limits: "fLimits",
  list: "fList",
  markupBps: "fMarkupBps",
  maxPayments: "fMaxPayments",
  mcc: "fMcc",
  merchantId: "fMerchantId",
  merchants: "fMerchants",
  metric: "fMetric",
  minimumPayout: "fMinimumPayout",
  mode: "fMode",
  monthlyRateBps: "fMonthlyRateBps",
  name: "fName",
  note: "fNote",
  olderKeysExpireAt: "fOlderKeysExpireAt",
  operation: "fOperation",
  operator: "fOperator",
  orderId: "fOrderId",
  origin: "fOrigin",
  originalAmount: "fOriginalAmount",
  ownerId: "fOwnerId",
  passed: "fPassed",
  paymentMethod: "fPaymentMethod",
  percentageBps: "fPercentageBps",
  plan: "fPlan",
  platformFeeEnabled: "fPlatformFeeEnabled",
  proposal: "fProposal",
  reason: "fReason",
  removed: "fRemoved",
  reopensUntil: "fReopensUntil",
  rights: "fRights",
  role: "fRole",
  rules: "fRules",
  seller: "fSeller",
  sendTo: "fSendTo",
  session: "fSession",
  since: "fSince",
  slots: "fSlots",
  splitRules: "fSplitRules",
  status: "fStatus",
  subscription: "fSubscription",
  test: "fTest",
  threshold: "fThreshold",
  timeZone: "fTimeZone",
  transactionId: "fTransactionId",
  truth: "fTruth",
  type: "fType",
  until: "fUntil",
  version: "fVersion",
  windowMinutes: "fWindowMinutes",
  withdrawalFee: "fWithdrawalFee",
  words: "fWords",
} as const;

/** A test holds these against everything that is written to the log. */
export const isKnownField = (field: string): field is keyof typeof FIELD_TEXTS => Object.hasOwn(FIELD_TEXTS, field);

/** In cents of the entry's currency, or of reais. */
const MONEY: ReadonlySet<string> = new Set(["amount", "originalAmount", "withdrawalFee", "minimumPayout"]);
/** In hundredths of a percent. */
const SHARES: ReadonlySet<string> = new Set(["markupBps", "monthlyRateBps", "percentageBps"]);
const WHOLE = 10_000;
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

export async function fieldWords() {
  const [t, format, locale] = await Promise.all([getTranslations("audit"), getFormatter(), getLocale()]);
  return {
    name: (field: string): string => (isKnownField(field) ? t(FIELD_TEXTS[field]) : field),
    /** As people read it, where it is known how; else as it was written. */
    value(field: string, content: unknown, currency: string): string {
      if (typeof content === "boolean") return content ? t("valueYes") : t("valueNo");
      if (Number.isSafeInteger(content) && MONEY.has(field)) return formatCents(Number(content), currency, locale);
      if (typeof content === "number" && SHARES.has(field)) {
        return format.number(content / WHOLE, { style: "percent", maximumFractionDigits: 2 });
      }
      if (typeof content !== "string") return JSON.stringify(content, null, 1);
      if (INSTANT.test(content)) return format.dateTime(new Date(content), { dateStyle: "medium", timeStyle: "short" });
      if (DAY.test(content)) return format.dateTime(new Date(content), { dateStyle: "medium", timeZone: "UTC" });
      return content;
    },
  };
}

export type FieldWords = Awaited<ReturnType<typeof fieldWords>>;

export interface Change {
  field: string;
  name: string;
  before: string | undefined;
  after: string | undefined;
}

const REAL = "BRL";

const membersOf = (value: unknown): Map<string, unknown> =>
  new Map(typeof value === "object" && value !== null ? Object.entries(value) : []);

/** Side by side, and only what differs where both sides are known. */
export function changesOf(words: FieldWords, before: unknown, after: unknown): Change[] {
  const [old, fresh] = [membersOf(before), membersOf(after)];
  const isChange = old.size > 0 && fresh.size > 0;
  const said = fresh.get("currency") ?? old.get("currency");
  const currency = typeof said === "string" ? said : REAL;
  const shown = (side: Map<string, unknown>, field: string): string | undefined => {
    const content = side.get(field);
    return content === undefined || content === null ? undefined : words.value(field, content, currency);
  };
  return [...new Set([...old.keys(), ...fresh.keys()])]
    .filter((field) => !isChange || JSON.stringify(old.get(field)) !== JSON.stringify(fresh.get(field)))
    .map((field) => ({ field, name: words.name(field), before: shown(old, field), after: shown(fresh, field) }));
}

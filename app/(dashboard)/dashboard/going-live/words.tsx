import { getFormatter, getTranslations } from "next-intl/server";
import type { ReactNode } from "react";
import { noticeWords } from "@/app/(dashboard)/dashboard/notices/words";
import type { Check, CheckName, CheckState, CompanyField, DetailName } from "@/lib/going-live/check";

/** What an item is called, why it matters, and what the link to where it is settled says. */
const TEXTS = {
  secondFactors: { named: "secondFactors", why: "secondFactorsWhy", go: "secondFactorsGo" },
  owners: { named: "owners", why: "ownersWhy", go: "ownersGo" },
  liveAccount: { named: "liveAccount", why: "liveAccountWhy" },
  mail: { named: "mail", why: "mailWhy" },
  notices: { named: "notices", why: "noticesWhy", go: "noticesGo" },
  keysScoped: { named: "keysScoped", why: "keysScopedWhy", go: "keysScopedGo" },
  keysInUse: { named: "keysInUse", why: "keysInUseWhy", go: "keysInUseGo" },
  publicKeys: { named: "publicKeys", why: "publicKeysWhy", go: "publicKeysGo" },
  webhooks: { named: "webhooks", why: "webhooksWhy", go: "webhooksGo" },
  trialPaid: { named: "trialPaid", why: "trialPaidWhy", go: "trialPaidGo" },
  trialDeclined: { named: "trialDeclined", why: "trialDeclinedWhy", go: "trialDeclinedGo" },
  trialRefunded: { named: "trialRefunded", why: "trialRefundedWhy", go: "trialRefundedGo" },
  company: { named: "company", why: "companyWhy", go: "companyGo" },
  provider: { named: "provider", why: "providerWhy", go: "providerGo" },
  connection: { named: "connection", why: "connectionWhy", go: "connectionGo" },
  notification: { named: "notification", why: "notificationWhy", go: "notificationGo" },
  adapter: { named: "adapter", why: "adapterWhy", go: "adapterGo" },
  flow: { named: "flow", why: "flowWhy", go: "flowGo" },
  brand: { named: "brand", why: "brandWhy", go: "brandGo" },
  payout: { named: "payout", why: "payoutWhy", go: "payoutGo" },
} as const satisfies Record<CheckName, { named: string; why: string; go?: string }>;

const DETAILS = {
  factorsAll: "factorsAll",
  factorsMissing: "factorsMissing",
  ownersEnough: "ownersEnough",
  ownersOne: "ownersOne",
  liveThis: "liveThis",
  liveYours: "liveYours",
  liveNone: "liveNone",
  mailServer: "mailServer",
  mailKept: "mailKept",
  noticesRead: "noticesRead",
  noticesUnread: "noticesUnread",
  keysNone: "keysNone",
  keysAllScoped: "keysAllScoped",
  keysUnscoped: "keysUnscoped",
  keysAllInUse: "keysAllInUse",
  keysIdle: "keysIdle",
  publicNone: "publicNone",
  publicNarrow: "publicNarrow",
  publicWide: "publicWide",
  webhooksNotNeeded: "webhooksNotNeeded",
  webhooksNone: "webhooksNone",
  webhooksPlain: "webhooksPlain",
  webhooksUntried: "webhooksUntried",
  webhooksFailing: "webhooksFailing",
  webhooksDelivered: "webhooksDelivered",
  trialDone: "trialDone",
  trialMissing: "trialMissing",
  trialDoneIn: "trialDoneIn",
  trialMissingIn: "trialMissingIn",
  trialNoSandbox: "trialNoSandbox",
  companyComplete: "companyComplete",
  companyLacks: "companyLacks",
  companyPlain: "companyPlain",
  providerActive: "providerActive",
  providerNone: "providerNone",
  providerSimulated: "providerSimulated",
  providerPaused: "providerPaused",
  providerUnreachable: "providerUnreachable",
  connectionPassed: "connectionPassed",
  connectionFailed: "connectionFailed",
  connectionUntested: "connectionUntested",
  connectionUntestable: "connectionUntestable",
  notificationCame: "notificationCame",
  notificationNone: "notificationNone",
  adapterLive: "adapterLive",
  adapterPaid: "adapterPaid",
  adapterOffline: "adapterOffline",
  adapterUnproven: "adapterUnproven",
  flowActive: "flowActive",
  flowNone: "flowNone",
  flowOneProvider: "flowOneProvider",
  brandSet: "brandSet",
  brandNone: "brandNone",
  payoutFile: "payoutFile",
  payoutSandbox: "payoutSandbox",
  payoutByHand: "payoutByHand",
  payoutNoAccount: "payoutNoAccount",
  payoutNoSellers: "payoutNoSellers",
} as const satisfies Record<DetailName, string>;

const STATE_TEXTS = {
  done: "stateDone",
  todo: "stateTodo",
  none: "stateNone",
} as const satisfies Record<CheckState, string>;

const FIELD_TEXTS = {
  name: "fieldName",
  merchantName: "fieldMerchantName",
  merchantUrl: "fieldMerchantUrl",
} as const satisfies Record<CompanyField, string>;

const code = (text: ReactNode) => <code className="break-words font-mono text-xs">{text}</code>;

export async function checkWords() {
  const [t, format, notices] = await Promise.all([getTranslations("goingLive"), getFormatter(), noticeWords()]);
  return {
    title: ({ name, provider }: Check): string => {
      const title = t(TEXTS[name].named);
      return provider ? t("ofProvider", { title, provider: provider.name, kind: provider.kind }) : title;
    },
    why: ({ name }: Check): string => t(TEXTS[name].why),
    go: ({ name }: Check): string | undefined => {
      const texts = TEXTS[name];
      return "go" in texts ? t(texts.go) : undefined;
    },
    state: ({ state }: Check): string => t(STATE_TEXTS[state]),
    detail: ({ detail, names, fields, kinds, at, count, all, day, words }: Check): ReactNode =>
      t.rich(DETAILS[detail], {
        code,
        count: count ?? 0,
        all: all ?? 0,
        names: format.list(names ?? []),
        fields: format.list((fields ?? []).map((field) => t(FIELD_TEXTS[field]))),
        kinds: format.list((kinds ?? []).map(notices.kind)),
        at: at ? format.dateTime(at, { dateStyle: "medium", timeStyle: "short" }) : "",
        day: day ?? "",
        words: words ?? "",
      }),
  };
}

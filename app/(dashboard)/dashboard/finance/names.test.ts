import { expect, test } from "vitest";
import { ACCOUNT_KINDS, type AccountKind } from "@/db/schema/ledger";
import { messages } from "@/lib/i18n/messages";

const LOCALES = ["en", "pt-BR"] as const;

test.each(LOCALES)("in %s no account of the merchant's is named as what payouts call available", (locale) => {
  const { payouts, payments } = messages[locale];
  // Guarantee: Object.keys of the literal gives exactly its keys.
  const kinds = (Object.keys(ACCOUNT_KINDS) as AccountKind[]).filter((kind) => kind.startsWith("merchant_"));
  const names = kinds.map((kind) => payments[`account_${kind}`]);
  expect(names).toHaveLength(2);
  expect(names.filter((name) => name.startsWith(payouts.available))).toEqual([]);
});

test.each(LOCALES)("in %s what is before the acquirer's cost is never told as after fees", (locale) => {
  const { payouts, explanations } = messages[locale];
  const cost = { en: /acquirer’s cost/, "pt-BR": /custo da adquirente/ }[locale];
  const { ownText, sumOwn, sumOwnText } = payouts;
  const { ruleAvailable, ruleReceivable, ruleNext, ruleCalendarMonth, ruleBatchAmount, ruleBatchFinal } = explanations;
  const { ruleSettlementNet } = explanations;
  const rules = [ruleAvailable, ruleReceivable, ruleNext, ruleCalendarMonth, ruleBatchAmount, ruleBatchFinal];
  for (const said of [ownText, sumOwn, sumOwnText, ...rules, ruleSettlementNet]) expect(said).toMatch(cost);
});

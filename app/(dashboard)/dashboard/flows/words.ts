import { getTranslations } from "next-intl/server";
import { declineWords } from "@/app/(dashboard)/dashboard/payments/[id]/decline-words";
import { paymentWords } from "@/app/(dashboard)/dashboard/payments/words";
import type { FlowNames } from "@/components/flows/words";
import type { FlowAction, FlowMethod, FlowStatus } from "@/db/schema/flows";
import type { Context } from "@/lib/context";
import { DECLINED_CODES } from "@/lib/declines/decline-codes";
import { merchantNames } from "@/lib/flows/family";
import { type FlowRow, providersNamed, rootOf } from "@/lib/flows/queries";
import { namedIn } from "@/lib/flows/rules/named";
import { providersOfMerchants } from "@/lib/merchants/queries";
import { distinctionsOf, type ListedProvider } from "@/lib/provider-distinctions";

export const LIST = "/dashboard/flows";

const STATUS_TEXTS = {
  draft: { key: "statusDraft", tone: "neutral" },
  active: { key: "statusActive", tone: "success" },
  archived: { key: "statusArchived", tone: "neutral" },
} as const satisfies Record<FlowStatus, { key: string; tone: string }>;

const ACTION_TEXTS = {
  created: "actionCreated",
  changed: "actionChanged",
  restored: "actionRestored",
  activated: "actionActivated",
  archived: "actionArchived",
  merchants_left: "actionMerchantsLeft",
  guardrail: "actionGuardrail",
} as const satisfies Record<FlowAction, string>;

export async function flowWords() {
  const [t, { method }] = await Promise.all([getTranslations("flows"), paymentWords()]);
  return {
    method: (one: FlowMethod): string => method(one),
    status: (one: FlowStatus) => ({ text: t(STATUS_TEXTS[one].key), tone: STATUS_TEXTS[one].tone }),
    action: (one: FlowAction): string => t(ACTION_TEXTS[one]),
  };
}

/** Every decline that a flow may name, in words. */
export async function declineNames(): Promise<Record<string, string>> {
  const words = await declineWords();
  return Object.fromEntries(DECLINED_CODES.map((code) => [code, words(code)]));
}

/** By id; a name that several have says in brackets which of them it is. */
export async function distinctNames(
  providers: readonly ListedProvider[],
  merchants: ReadonlyMap<string, string>,
): Promise<Record<string, string>> {
  const t = await getTranslations("flows");
  const distinctions = distinctionsOf(providers);
  const told = ({ id, name, merchantId }: ListedProvider): string => {
    const { place, isOfMerchants } = distinctions.get(id) ?? {};
    const merchant = merchants.get(merchantId) ?? merchantId;
    if (place === undefined) return isOfMerchants ? t("providerOfMerchant", { name, merchant }) : name;
    return isOfMerchants ? t("providerAmong", { name, merchant, place }) : t("providerTwin", { name, place });
  };
  return Object.fromEntries(providers.map((provider) => [provider.id, told(provider)]));
}

/** Of all providers of these merchants, and of those with these ids, whoever they belong to, with their merchants'. */
export async function providerNames(
  ctx: Context,
  { merchantIds, ids = [] }: { merchantIds: readonly string[]; ids?: readonly string[] },
): Promise<Record<string, string>> {
  const named = await providersNamed(ctx, [...new Set(ids)]);
  const theirs = [...new Set([...merchantIds, ...named.map(({ merchantId }) => merchantId)])];
  return distinctNames(await providersOfMerchants(ctx, theirs), await merchantNames(ctx, theirs));
}

/** Of the providers of these flows and of the declines. */
export async function namesIn(
  ctx: Context,
  ...flows: readonly Pick<FlowRow, "root" | "merchantIds">[]
): Promise<FlowNames> {
  return {
    providers: await providerNames(ctx, {
      merchantIds: flows.flatMap(({ merchantIds }) => merchantIds),
      ids: flows.flatMap((flow) => namedIn(rootOf(flow))),
    }),
    declines: await declineNames(),
  };
}

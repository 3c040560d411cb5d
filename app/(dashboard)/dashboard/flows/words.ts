import { getTranslations } from "next-intl/server";
import { declineWords } from "@/app/(dashboard)/dashboard/payments/[id]/decline-words";
import { paymentWords } from "@/app/(dashboard)/dashboard/payments/words";
import type { FlowNames } from "@/components/flows/words";
import type { FlowAction, FlowMethod, FlowStatus } from "@/db/schema/flows";
import type { Context } from "@/lib/context";
import { DECLINED_CODES } from "@/lib/declines/decline-codes";
import { providersNamed } from "@/lib/flows/queries";
import { namedIn } from "@/lib/flows/rules/named";
import type { FlowNodes } from "@/lib/flows/rules/nodes";

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

/** Of the providers in these flows, whoever they belong to, and of the declines. */
export async function namesIn(ctx: Context, ...roots: readonly FlowNodes[]): Promise<FlowNames> {
  const rows = await providersNamed(ctx, [...new Set(roots.flatMap((root) => namedIn(root)))]);
  return {
    providers: Object.fromEntries(rows.map(({ id, name }) => [id, name])),
    declines: await declineNames(),
  };
}

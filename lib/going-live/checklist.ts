import { type Context, inSnapshot } from "@/lib/context";
import { type Check, type CheckState, checkOf } from "@/lib/going-live/check";
import { publicKeysOf, secretKeysOf, webhooksOf } from "@/lib/going-live/integration";
import { checksOfMerchants, type MerchantChecks } from "@/lib/going-live/merchants";
import { liveAccountOf, mailOf, noticesFinding, teamFindings } from "@/lib/going-live/people";
import { trialsOf } from "@/lib/going-live/trial";
import { listMerchants } from "@/lib/merchants/queries";
import { demand, may, type Right } from "@/lib/operators/permissions";
import type { OperatorAccount, OperatorRole } from "@/lib/operators/sessions";

const MOST_MERCHANTS = 100;
/** What tells of people and keys is shown to whoever may open the pages that do. */
const OF_THE_ACCOUNT: readonly Right[] = [
  "team.manage",
  "keys.manage",
  "webhooks.see",
  "flows.see",
  "brand.edit",
  "sellers.see",
];

export interface Checklist {
  account: Check[];
  integration: Check[];
  trial: Check[];
  merchants: MerchantChecks[];
  /** Active merchants in all: the first hundred are looked at. */
  merchantCount: number;
  /** Whether the reader's role leaves something out. */
  isPartial: boolean;
}

/** Read from the rows of this moment, so that an item is done while it is true and no longer. */
export async function goingLive(
  ctx: Context,
  role: OperatorRole,
  others: readonly OperatorAccount[],
): Promise<Checklist> {
  demand(role, "merchants.see");
  const people = may(role, "team.manage") ? await teamFindings(ctx) : undefined;
  const notices = may(role, "team.manage") ? await noticesFinding(ctx) : undefined;
  const { integration, merchants, merchantCount } = await inSnapshot(ctx, async (inside) => {
    const wanted = { page: 1, limit: MOST_MERCHANTS, order: "asc" } as const;
    const { items, totalItems } = await listMerchants(inside, { ...wanted, status: ["true"] });
    return {
      integration: await integrationOf(inside, role),
      merchants: await checksOfMerchants(inside, role, items),
      merchantCount: totalItems,
    };
  });
  return {
    account: [
      ...(people ? [checkOf("secondFactors", people.factors), checkOf("owners", people.owners)] : []),
      checkOf("liveAccount", liveAccountOf(ctx, others)),
      checkOf("mail", mailOf()),
      ...(notices ? [checkOf("notices", notices)] : []),
    ],
    integration,
    trial: await trialsOf(ctx, others),
    merchants,
    merchantCount,
    isPartial: !OF_THE_ACCOUNT.every((right) => may(role, right)),
  };
}

async function integrationOf(ctx: Context, role: OperatorRole): Promise<Check[]> {
  if (!may(role, "keys.manage")) return [];
  const { scoped, inUse, isCalled } = await secretKeysOf(ctx);
  return [
    checkOf("keysScoped", scoped),
    checkOf("keysInUse", inUse),
    checkOf("publicKeys", await publicKeysOf(ctx)),
    ...(may(role, "webhooks.see") ? [checkOf("webhooks", await webhooksOf(ctx, isCalled))] : []),
  ];
}

export const checksIn = ({ account, integration, trial, merchants }: Checklist): Check[] => [
  ...account,
  ...integration,
  ...trial,
  ...merchants.flatMap(({ checks }) => checks),
];

export const countOf = (checklist: Checklist, state: CheckState): number =>
  checksIn(checklist).filter((check) => check.state === state).length;

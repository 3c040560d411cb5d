import type { StoredSessionRule } from "@/db/schema/sessions";
import { audit } from "@/lib/audit";
import { type Context, now } from "@/lib/context";
import { DomainError } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { bpsToPercent } from "@/lib/money";
import { recordSessionChange } from "@/lib/sessions/history";
import { changeOfferedSession } from "@/lib/sessions/places";
import { lockSession } from "@/lib/sessions/queries";
import { isPastDue, type SessionRow } from "@/lib/sessions/state";
import { type AskedRule, checkSplit } from "@/lib/splits/check";
import { partiesOf } from "@/lib/splits/parties";
import { resolvedRule, type SellerTerms } from "@/lib/splits/rows";

/** With what the seller's own terms say where the rule says nothing: what is answered is what holds. */
export function storedRule(rule: AskedRule, terms: SellerTerms | undefined): StoredSessionRule {
  const { fareMdrBps, fareFee, ...flags } = resolvedRule(rule, terms);
  const fares = {
    ...(fareMdrBps === null ? {} : { mdr: bpsToPercent(fareMdrBps) }),
    ...(fareFee === null ? {} : { fee: fareFee }),
  };
  return {
    id: newId(),
    sellerId: rule.sellerId,
    ...(rule.percentage === undefined ? {} : { percentage: rule.percentage }),
    ...(rule.amount === undefined ? {} : { amount: rule.amount }),
    processingFee: flags.processingFee,
    liable: flags.liable,
    chargeEntireFee: flags.chargeEntireFee,
    chargeRemainderFee: flags.chargeRemainderFee,
    transactionOwner: flags.transactionOwner,
    ...(Object.keys(fares).length > 0 ? { fares } : {}),
  };
}

/** Of whoever is named, in per cent. */
export type SharedParts = readonly { sellerId: string; percentage: number }[];

const isSame = (rules: readonly StoredSessionRule[], shares: SharedParts): boolean =>
  rules.length === shares.length &&
  rules.every((rule, at) => rule.sellerId === shares[at]?.sellerId && rule.percentage === shares[at]?.percentage);

/** In one line: what a record of the history holds of a field is a text. */
const told = (rules: readonly StoredSessionRule[]): string =>
  rules.map(({ sellerId, percentage, amount }) => `${sellerId} ${amount ?? `${percentage}%`}`).join(", ");

/**
 * Who shares what is paid from now on: a payment that was begun keeps the rules that it was made with. Who shared before
 * keeps what its rule says besides.
 */
export async function shareSession(ctx: Context, id: string, shares: SharedParts): Promise<SessionRow> {
  const from = await lockSession(ctx, id);
  if (isSame(from.splitRules, shares)) return from;
  if (from.status !== "created" || isPastDue(from, now(ctx)))
    throw new DomainError("session_disabled", "the session takes no more payments");
  const parties = await partiesOf(ctx, from.merchantId, shares);
  const splitRules = shares.map(({ sellerId, percentage }) => {
    const before = from.splitRules.find((rule) => rule.sellerId === sellerId);
    if (!before) return storedRule({ sellerId, percentage }, parties.get(sellerId));
    const { amount: _amount, ...kept } = before;
    return { ...kept, percentage };
  });
  checkSplit(splitRules, from.amount, parties);
  const changed = await changeOfferedSession(ctx, id, { splitRules });
  const [before, after] = [told(from.splitRules), told(splitRules)];
  await recordSessionChange(ctx, changed, {
    actions: ["splitRulesChanged"],
    changes: { splitRules: { from: before, to: after } },
  });
  await audit(ctx, {
    action: "session.split",
    object: "session",
    objectId: id,
    before: { splitRules: before },
    after: { splitRules: after },
  });
  return changed;
}

import { actionsSaid } from "@/app/(dashboard)/dashboard/audit/words";
import { type GivenParameters, oneOf } from "@/app/(dashboard)/list-url";
import type { OnAccount } from "@/app/(dashboard)/operator-context";
import { AUDIT_KIND_NAMES } from "@/lib/audit-trail/kinds";
import type { AuditFilter } from "@/lib/audit-trail/queries";
import { isUuid } from "@/lib/ids";
import { may } from "@/lib/operators/permissions";
import { addSeconds, DAY_SECONDS, realNow } from "@/lib/time";

export const PERIODS = { day: 1, week: 7, month: 30 } as const;
export type Period = keyof typeof PERIODS;
export const PERIOD_NAMES = ["day", "week", "month"] as const satisfies readonly Period[];

export const periodIn = (given: GivenParameters): Period | undefined =>
  PERIOD_NAMES.find((name) => name === oneOf(given, "period"));

const SORTS = new Set(["key", "system"]);

/** The address says it all; whoever may see only their own rows is shown no others, whatever the address says. */
export function auditFilter({ ctx, role }: Pick<OnAccount, "ctx" | "role">, given: GivenParameters): AuditFilter {
  const { principal } = ctx;
  const self = principal.kind === "operator" ? principal.operatorId : "";
  const period = periodIn(given);
  const who = oneOf(given, "who");
  return {
    who: who && isUuid(who) ? `operator:${who}` : who && SORTS.has(who) ? who : undefined,
    kind: AUDIT_KIND_NAMES.find((name) => name === oneOf(given, "kind")),
    search: oneOf(given, "q"),
    said: actionsSaid(oneOf(given, "q")),
    from: period && addSeconds(realNow(), -PERIODS[period] * DAY_SECONDS),
    own: may(role, "audit.all") ? undefined : self,
    before: oneOf(given, "before"),
  };
}

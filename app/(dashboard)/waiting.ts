import { cache } from "react";
import { memberOf } from "@/app/(dashboard)/operator-context";
import { SECTIONS } from "@/app/(dashboard)/sections";
import { type Attention, attentionOf } from "@/lib/insights/attention";
import { log } from "@/lib/log";
import { may } from "@/lib/operators/permissions";

/** What waits for a person in the account, counted once per request: the navigation and home show the same. */
export const attentionNow = cache(async (): Promise<Attention[]> => {
  const member = await memberOf();
  return member && may(member.role, "payments.see") ? attentionOf(member.ctx, member.role) : [];
});

/** By the address of its section. What cannot be counted is not shown, and the page is there all the same. */
export async function waitingNow(): Promise<Record<string, number>> {
  const items = await attentionNow().catch((error: unknown): Attention[] => {
    log.error({ error }, "what waits could not be counted");
    return [];
  });
  const countOf = (kinds: readonly string[]) =>
    items.filter(({ kind }) => kinds.includes(kind)).reduce((sum, { count }) => sum + count, 0);
  return Object.fromEntries(
    SECTIONS.map((section) => [section.href, "waiting" in section ? countOf(section.waiting) : 0]),
  );
}

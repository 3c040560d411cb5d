"use server";

import { actOnForm } from "@/app/(dashboard)/dashboard/payments/[id]/act-on-form";
import { actOnPurchaseForm } from "@/app/(dashboard)/dashboard/payments/[id]/act-on-purchase";
import { senderOf } from "@/app/(dashboard)/operator-context";
import type { Rechecked } from "@/components/charges/list-tools";

/** One of many that were selected: asks the provider about it, with the rights, the audit and the key of a single one. */
export async function recheckItemAction(id: string, key: string): Promise<Rechecked> {
  const sender = await senderOf();
  if (!sender) return "failed";
  const form = new FormData();
  for (const [name, value] of Object.entries({ id, key, action: "recheck", plan: "any" })) form.set(name, value);
  const charge = await actOnForm(sender, form);
  const outcome = charge.kind === "not_found" ? await actOnPurchaseForm(sender, form) : charge;
  if (outcome.kind === "done") return "asked";
  return outcome.kind === "changed" ? "nothing" : "failed";
}

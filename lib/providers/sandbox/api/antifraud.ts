import { audit } from "@/lib/audit";
import { resolveAnalysis } from "@/lib/charges/antifraud";
import type { Charge } from "@/lib/charges/queries";
import { type Context, inTransaction } from "@/lib/context";
import { whenFree } from "@/lib/providers/sandbox/api/tools";

/** The analyst's word, given by the developer. */
export async function resolvePending(
  ctx: Context,
  chargeId: string,
  status: "approved" | "reproved" | "failed",
): Promise<Charge> {
  const charge = await whenFree(() => resolveAnalysis(ctx, chargeId, status));
  await inTransaction(ctx, (inside) =>
    audit(inside, { action: "sandbox.antifraud", object: "charge", objectId: chargeId, after: { status } }),
  );
  return charge;
}

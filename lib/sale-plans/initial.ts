import type { Database } from "@/db/client";
import { salePlanRates, salePlans } from "@/db/schema/sale-plans";
import { saoPauloDay } from "@/lib/brazil/bank-calendar";
import type { Account } from "@/lib/context";
import { newId } from "@/lib/ids";

/** Prices of a sandbox account, as of an ordinary acquirer; a live one charges nothing until somebody sets them. */
const SANDBOX_RATES = [
  { paymentMethod: "credit", band: [1, 1], percentageBps: 399, fixedAmount: 39 },
  { paymentMethod: "credit", band: [2, 6], percentageBps: 459, fixedAmount: 39 },
  { paymentMethod: "credit", band: [7, 12], percentageBps: 519, fixedAmount: 39 },
  { paymentMethod: "credit", band: [13, 24], percentageBps: 599, fixedAmount: 39 },
  { paymentMethod: "debit", band: [1, 24], percentageBps: 199, fixedAmount: 0 },
  { paymentMethod: "pix", band: [1, 24], percentageBps: 99, fixedAmount: 0 },
  { paymentMethod: "boleto", band: [1, 24], percentageBps: 0, fixedAmount: 349 },
] as const;
/** Stored in one language: screens call it what it is in the language of their reader. */
export const INITIAL_PLAN_NAME = "Padrão";

const SANDBOX_TERMS = { monthlyRateBps: 150, markupBps: 200, withdrawalFee: 367 };
const LIVE_TERMS = { monthlyRateBps: 0, markupBps: 0, withdrawalFee: 0 };

/** Every account has one default plan from its creation (spec/settlement.md section 2), in the language accounts begin with. */
export async function insertDefaultPlan(db: Database, { id: clientId, mode }: Account, at: Date): Promise<void> {
  const planId = newId();
  const effectiveFrom = saoPauloDay(at);
  const isSandbox = mode === "sandbox";
  await db.insert(salePlans).values({
    id: planId,
    clientId,
    name: INITIAL_PLAN_NAME,
    isDefault: true,
    effectiveFrom,
    ...(isSandbox ? SANDBOX_TERMS : LIVE_TERMS),
    createdAt: at,
    updatedAt: at,
  });
  if (!isSandbox) return;
  await db.insert(salePlanRates).values(
    SANDBOX_RATES.map(({ band: [installmentFrom, installmentTo], ...rate }) => ({
      ...rate,
      id: newId(),
      clientId,
      planId,
      brand: null,
      installmentFrom,
      installmentTo,
      refundable: "mdr" as const,
      effectiveFrom,
      createdAt: at,
    })),
  );
}

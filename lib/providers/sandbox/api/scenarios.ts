import { findCard } from "@/lib/cards/queries";
import { type Context, now } from "@/lib/context";
import { findCustomer } from "@/lib/customers/queries";
import { DomainError, notFound } from "@/lib/errors";
import { directionOf, offsetOf, type Page, type Paged } from "@/lib/http/pagination";
import { findMerchant } from "@/lib/merchants/queries";
import {
  deleteScenario,
  listScenarios,
  type ScenarioTarget,
  type StoredScenario,
  storeScenario,
} from "@/lib/providers/sandbox/stored-scenarios";

/** For payments that no request makes: the target is one of this account's own objects. */
export async function addScenario(
  ctx: Context,
  { target, scenario }: { target: ScenarioTarget; scenario: string },
): Promise<StoredScenario> {
  await refuseUnknown(ctx, target);
  return storeScenario(ctx.account.id, target, scenario, now(ctx));
}

async function refuseUnknown(ctx: Context, target: ScenarioTarget): Promise<void> {
  if ("cardId" in target) {
    if (!(await findCard(ctx, target.cardId))) throw new DomainError("card_not_found", "the card does not exist");
  } else if ("customerId" in target) {
    if (!(await findCustomer(ctx, target.customerId)))
      throw new DomainError("customer_not_found", "the customer does not exist");
  } else if (!(await findMerchant(ctx, target.merchantId))) {
    throw new DomainError("merchant_not_found", "the merchant does not exist");
  }
}

export async function pageOfScenarios(ctx: Context, page: Page): Promise<Paged<StoredScenario>> {
  const { items, total } = await listScenarios(ctx.account.id, {
    limit: page.limit,
    offset: offsetOf(page),
    order: directionOf(page),
  });
  return { items, totalItems: total };
}

export async function removeScenario(ctx: Context, id: string): Promise<void> {
  if (!(await deleteScenario(ctx.account.id, id))) throw notFound("scenario");
}

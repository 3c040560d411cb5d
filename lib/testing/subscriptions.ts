import { systemSql } from "@/db/client";
import type { SandboxBrand, SandboxOutcome } from "@/lib/reference/sandbox-pans";
import { openClient, type TestClient } from "@/lib/testing/api";
import type { CallOptions, Reply } from "@/lib/testing/api-client";
import { cardData, openCustomer, openToken, type Shop, withMerchant } from "@/lib/testing/payments";

export interface TryReply {
  chargeId: string | null;
  attemptNumber: number;
  status: string;
  error: string | null;
}

export interface CycleReply {
  id: string;
  cycle: number;
  status: string;
  attempts: number;
  scheduledAt: string;
  nextRetryAt: string | null;
  paymentHistory: TryReply[];
}

/** What tests read of a subscription. */
export interface SubscriptionReply {
  id: string;
  status: string;
  amount: number;
  recurrence: { interval: string; startAt: string; endAt: string | null; nextDueDate: string | null };
  paymentMethod: { card: { cardId: string } };
  lastCycle: CycleReply | null;
  [member: string]: unknown;
}

/** A shop whose clock stands still at an instant, with a buyer. */
export interface Club extends Shop {
  customerId: string;
  card(outcome?: SandboxOutcome, brand?: SandboxBrand): Promise<string>;
  to(instant: string): Promise<void>;
  subscribe(changes?: Record<string, unknown>, options?: CallOptions): Promise<Reply<SubscriptionReply>>;
  read(id: string): Promise<SubscriptionReply>;
  cycles(id: string): Promise<CycleReply[]>;
  /** What paid its cycles, the first one first. */
  charges(id: string): Promise<string[]>;
  cycle(id: string, cycleId: string): Promise<CycleReply>;
  /** Its events in their order. */
  events(id: string): Promise<string[]>;
  /** The card's next payments end like this, oldest first. */
  script(cardId: string, ...scenarios: string[]): Promise<void>;
}

export async function openClub(at: string): Promise<Club> {
  const client = await openClient();
  const shop = await withMerchant(client);
  const to = async (instant: string): Promise<void> => {
    await client.make("POST", "/v1/sandbox/clock", { body: { to: instant, freeze: true } });
  };
  await to(at);
  const customerId = await openCustomer(client);
  const card = async (outcome?: SandboxOutcome, brand?: SandboxBrand): Promise<string> => {
    const tokenId = await openToken(client, cardData(outcome, brand));
    return (await client.make("POST", "/v1/cards", { body: { tokenId } })).id;
  };
  return {
    ...shop,
    customerId,
    card,
    to,
    subscribe: async (changes = {}, options = {}) => {
      const { card: given, ...others } = changes;
      const cardId = typeof given === "string" ? given : await card();
      return client.call<SubscriptionReply>("POST", "/v1/subscriptions", {
        ...options,
        body: {
          name: "Plano Ouro",
          merchantId: shop.merchant.id,
          customerId,
          items: [{ name: "Ouro", amount: 4_990, quantity: 1 }],
          recurrence: { interval: "monthly" },
          paymentMethod: { type: "credit", card: { cardId } },
          ...others,
        },
      });
    },
    read: (id) => client.make<SubscriptionReply>("GET", `/v1/subscriptions/${id}`),
    cycles: async (id) =>
      (
        await client.make<{ items: CycleReply[] }>("GET", `/v1/subscriptions/${id}/cycles`, {
          query: { limit: 100, order: "asc" },
        })
      ).items,
    charges: async (id) =>
      (
        await systemSql()<{ chargeId: string }[]>`
          select t.charge_id as "chargeId" from subscription_tries t join subscription_cycles c on c.id = t.cycle_id
           where t.subscription_id = ${id} and t.status = 'authorized' order by c.cycle`
      ).map(({ chargeId }) => chargeId),
    cycle: (id, cycleId) => client.make<CycleReply>("GET", `/v1/subscriptions/${id}/cycles/${cycleId}`),
    events: (id) => eventsOf(client, id),
    script: async (cardId, ...scenarios) => {
      for (const scenario of scenarios) {
        await client.make("POST", "/v1/sandbox/scenarios", { body: { target: { cardId }, scenario } });
      }
    },
  };
}

async function eventsOf(client: TestClient, id: string): Promise<string[]> {
  const { items } = await client.make<{ items: { event: string; data: { subscription?: { id: string } } }[] }>(
    "GET",
    "/v1/events",
    { query: { limit: 100, order: "asc", event: "subscription.*" } },
  );
  return items.filter(({ data }) => data.subscription?.id === id).map(({ event }) => event);
}

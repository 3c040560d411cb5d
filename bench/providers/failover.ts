import { dispatch } from "@/app/api/registry";
import { headersOf, makeTokens, newChargeOf, openShop } from "@/bench/charges/shop";
import { quantile } from "@/bench/providers/calls";
import { table } from "@/bench/table";
import { closeWorld, openWorld } from "@/bench/world";
import { closePools } from "@/db/client";
import { loadAccount } from "@/lib/accounts/service";
import { declined } from "@/lib/charges/engine/authorize";
import { alternativeTo } from "@/lib/charges/engine/failover";
import { situationOf } from "@/lib/charges/engine/situation";
import { getCharge } from "@/lib/charges/queries";
import { inTransaction, systemContext } from "@/lib/context";
import { newId } from "@/lib/ids";
import { providersOf, toRouted } from "@/lib/payments/routing/provider";
import type { Decline } from "@/lib/providers/provider";
import { monotonicMs } from "@/lib/time";

const WARM_UP = 300;
const DECISIONS = 3_000;
const TARGET_MS = 1;
const DECLINE: Decline = { declinedCode: "issuer_not_available", retry: "later", networkResponseCode: "91" };

/** From an answer to the provider that is tried next: the card's count at the networks is read from the database. */
export async function measureFailover(): Promise<string> {
  const server = await openWorld();
  try {
    const shop = await openShop();
    const headers = headersOf(shop);
    const post = async <T>(path: string, body: string): Promise<T> => {
      const answer = await dispatch(new Request(`http://127.0.0.1${path}`, { method: "POST", headers, body }));
      // Guarantee: an answer of our own API, read where it is what was asked for.
      if (answer.status >= 300) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
      return (await answer.json()) as T;
    };
    for (const priority of [2, 3]) {
      const second = { name: `Sandbox ${priority}`, priority, credentials: { type: "SANDBOX" } };
      await post(`/v1/merchants/${shop.merchantId}/providers`, JSON.stringify(second));
    }
    const [token] = await makeTokens(shop, 1);
    if (!token) throw new Error("no token");
    const { id } = await post<{ id: string }>("/v1/charges", newChargeOf(shop, token));
    const ctx = systemContext(await loadAccount(shop.clientId), newId());
    const charge = await inTransaction(ctx, async (inside) => ({
      ...(await getCharge(inside, id)),
      providers: (await providersOf(inside, shop.merchantId)).map(toRouted),
    }));
    const attempt = charge.attempts.find(({ kind }) => kind === "authorize");
    if (!attempt) throw new Error("a charge without an authorization");
    const timed = async (answer: Parameters<typeof alternativeTo>[3]): Promise<number[]> => {
      const times: number[] = [];
      for (let run = 0; run < WARM_UP + DECISIONS; run++) {
        const startedMs = monotonicMs();
        const alternative = await alternativeTo(ctx, charge, attempt, answer);
        const decided = declined(situationOf(ctx, charge, attempt, alternative), DECLINE, {});
        if (run >= WARM_UP) times.push(monotonicMs() - startedMs);
        if (decided.next.do !== "attempt") throw new Error("nobody is tried next");
      }
      return times;
    };
    const rows = [];
    for (const [name, answer] of [
      ["a decline, the card's count read", { decline: DECLINE, isUnsent: false }],
      ["a call that never left", { isUnsent: true }],
    ] as const) {
      const times = await timed(answer);
      const p95 = quantile(times, 0.95);
      const verdict = `≤ ${TARGET_MS} ms ${p95 <= TARGET_MS ? "reached" : "missed"}`;
      rows.push([name, quantile(times, 0.5).toFixed(3), p95.toFixed(3), verdict]);
    }
    return table(["after", "p50 ms", "p95 ms", "target"], rows);
  } finally {
    await closePools();
    await closeWorld(server);
  }
}

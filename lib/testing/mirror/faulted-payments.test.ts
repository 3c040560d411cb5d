import { afterAll, beforeAll, test } from "vitest";
import { type MirrorServer, startMirror } from "@/lib/testing/mirror/server";
import { deliver, joinMirror, lowerOthers, registerMirror } from "@/lib/testing/mirror/shop";
import { proofTimeout } from "@/lib/testing/proof";
import { payFaulted } from "@/lib/testing/providers/kit/faulted";

const IN_SUITE = 48;

let mirror: MirrorServer;
beforeAll(async () => {
  mirror = await startMirror();
  registerMirror(mirror.url);
});
afterAll(() => mirror.close());

test(
  "faulted payments over two acquirers: no second authorization in their books",
  { timeout: proofTimeout(240_000) },
  () =>
    payFaulted(
      [
        {
          faults: [
            "none",
            "none",
            "lost_after",
            "lost_before",
            "http_500",
            "http_500_after",
            "truncated",
            "rate_limited",
          ],
          meet: (faultOf) => {
            mirror.faultOf = faultOf;
          },
          async join(shop, isFirst) {
            const account = await joinMirror(shop, isFirst ? 1 : 2);
            if (isFirst) await lowerOthers(shop);
            return ({ only = () => true, copies = 1 } = {}) => {
              let index = 0;
              return deliver(mirror, account, { copies, only: () => only(index++) });
            };
          },
          approvals: (id) =>
            mirror.transactions.filter(
              ({ charge, state }) => charge === id && ["authorized", "captured", "canceled", "expired"].includes(state),
            ).length,
          figures: () => ({ replayed: replayed(mirror) }),
        },
      ],
      IN_SUITE,
    ),
);

/** Payments that were confirmed more than once: the same request was the question. */
function replayed({ requests }: MirrorServer): number {
  const sends = new Map<string, number>();
  for (const { operation, reference } of requests)
    if (operation === "confirmations") sends.set(reference, (sends.get(reference) ?? 0) + 1);
  return [...sends.values()].filter((times) => times > 1).length;
}

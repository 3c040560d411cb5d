import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadAccount } from "@/lib/accounts/service";
import { newId } from "@/lib/ids";
import { receiveNotification } from "@/lib/provider-webhooks/receive";
import { openClient, openMerchant } from "@/lib/testing/api";
import { cells, KINDS_AT_REAL } from "@/lib/testing/kills/cells";
import { interruptAll } from "@/lib/testing/kills/interrupt";
import type { Held } from "@/lib/testing/kills/judge";
import { addProvider } from "@/lib/testing/payments";
import { isProof, proofRuns, proofTimeout, recordProof } from "@/lib/testing/proof";
import type { Books } from "@/lib/testing/providers/kit/books";
import type { MockedKind } from "@/lib/testing/providers/kit/faulted-mock";
import { CARD_KINDS, type CardKind, startMocked } from "@/lib/testing/providers/mocked";
import { advance } from "@/lib/testing/purchases";
import { addSeconds, realNow } from "@/lib/time";

const IN_SUITE = 2;
const AT_ONCE = 5;
/** The suite takes those that are hardest to ask: one has no look-up and tells later, the other has no keys. */
const KINDS: readonly CardKind[] = isProof() ? CARD_KINDS : ["ADYEN", "CIELO"];

/** Workers die, stall and lose their connections while a real kind is asked: its books and ours agree. */
let started: Record<CardKind, MockedKind>;
/** Where the clock of the account stands: a kind by another clock would see other holds end than we do. */
let aheadSeconds = 0;
beforeAll(async () => {
  started = await startMocked(KINDS, () => addSeconds(realNow(), aheadSeconds));
});
afterAll(() => Promise.all(Object.values(started).map(({ mock }) => mock.close())));

describe.each(KINDS)("interrupted at %s", (kind) => {
  test("nothing is authorized twice, lost or kept", { timeout: proofTimeout(300_000) }, async () => {
    const runs = proofRuns(IN_SUITE);
    aheadSeconds = 0;
    const client = await openClient();
    const shop = { client, merchant: await openMerchant(client, { provider: { priority: 10 } }) };
    const { mock, credentials, notifications } = started[kind];
    const own = credentials(newId().replaceAll("-", ""));
    const providerId = await addProvider(shop, { credentials: { ...own, environment: "test" } });
    let heard = 0;
    const { violations, figures, points } = await interruptAll({
      shop,
      cells: cells(KINDS_AT_REAL),
      runs,
      atOnce: AT_ONCE,
      // A capture that was told of lets the next card's be sent, which is told of in its turn.
      async tell() {
        for (let isNew = true; isNew; ) {
          aheadSeconds = (await loadAccount(client.clientId)).clock.offsetSeconds;
          mock.books.passTime();
          const news = notifications(own).slice(heard);
          heard += news.length;
          isNew = news.length > 0;
          for (const { headers, body } of news)
            await receiveNotification(newId(), providerId, headers, Buffer.from(body));
          await advance(client, "PT1S");
        }
      },
      elsewhere: () => heldIn(mock.books),
      isNamed: true,
    });
    const authorizedAtKind = heldIn(mock.books).reduce((sum, { holds }) => sum + holds, 0);
    const wrong = [...violations, ...new Set(mock.breaches)];
    recordProof({ ran: runs, violations: wrong, figures: { ...figures, authorizedAtKind }, met: { points } });
    expect(wrong).toEqual([]);
    expect(authorizedAtKind).toBeGreaterThan(0);
  });
});

const heldIn = ({ entries }: Books): Held[] =>
  entries.map(({ charge, state, held, captured, refunds }) => ({
    chargeId: charge,
    holds: held > 0 ? 1 : 0,
    captured,
    isHeld: state === "held",
    givenBack: refunds.filter(({ status }) => status === "done").reduce((sum, { amount }) => sum + amount, 0),
  }));

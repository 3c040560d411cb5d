import { expect, test } from "vitest";
import { closePools } from "@/db/client";
import { leftOutIf } from "@/lib/testing/left-out";
import { isProof, proofFrom, proofRuns, proofTimeout, recordProof } from "@/lib/testing/proof";
import { KINDS, type Kind, openInstallation, RECOVER_MS } from "@/lib/testing/proofs/process-kills/installation";
import { failedOf, settled, wrongsIn } from "@/lib/testing/proofs/process-kills/judge";
import { buy, openShop, wholePurchase } from "@/lib/testing/proofs/process-kills/shop";
import { pause } from "@/lib/wait";

const BUYERS = 3;
const REST_MS = 400;
const BETWEEN_MS = 4_000;

test("npm start under load while its processes are killed: it heals by itself, and every answer was true", {
  timeout: proofTimeout(),
}, async (context) => {
  leftOutIf(context, isProof() ? undefined : "starts a whole installation: npm run proof -- --only processKills");
  leftOutIf(context, process.platform === "linux" ? undefined : "finds the processes in /proc");
  const house = await openInstallation();
  const given = process.env.DATABASE_URL;
  const [first, runs] = [proofFrom(), proofRuns(1)];
  const violations: string[] = [];
  const times: Partial<Record<Kind, number[]>> = {};
  try {
    await house.start();
    const shop = await openShop(house.base, house.account());
    let isOver = false;
    const buyers = Array.from({ length: BUYERS }, async (_, nth) => {
      for (let turn = nth; !isOver; turn += BUYERS) {
        await buy(shop, turn).catch((error: unknown) => violations.push(String(error)));
        await pause(REST_MS);
      }
    });
    for (let run = first; run < first + runs; run++) {
      await pause(BETWEEN_MS * Math.random());
      const kind = KINDS[run % KINDS.length] ?? "web";
      await house.kill(kind);
      const killedAt = performance.now();
      const came = await Promise.race([wholePurchase(shop), pause(RECOVER_MS).then(() => false)]);
      if (came === false) violations.push(`${kind}: no purchase came to its end within ${RECOVER_MS / 1_000} s`);
      const seconds = (performance.now() - killedAt) / 1_000;
      times[kind] = [...(times[kind] ?? []), seconds];
      process.stdout.write(`${run + 1}: ${kind} killed, whole again after ${seconds.toFixed(1)} s\n`);
      await house.complete();
    }
    isOver = true;
    await Promise.all(buyers);
    violations.push(...(await settled(shop)));
    process.env.DATABASE_URL = house.databaseUrl();
    await closePools();
    violations.push(...(await wrongsIn(shop)));
    const failed = await failedOf(shop);
    const killed = Object.values(times).flat().length;
    recordProof({
      ran: killed,
      violations,
      figures: {
        processesKilled: killed,
        accepted: shop.written.length,
        requestsUnanswered: shop.unanswered,
        failedNeverThere: failed,
      },
      times,
    });
    expect(violations).toEqual([]);
    expect(killed).toBe(runs);
  } finally {
    await closePools();
    process.env.DATABASE_URL = given;
    await house.close();
  }
});

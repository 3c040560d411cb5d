import { setTimeout as sleep } from "node:timers/promises";
import { answering, EVENT_KEY, emptyInngest, PORTS, SIGNING_KEY, startInngest } from "@/bench/engine/world";
import { closePools } from "@/db/client";
import { openInstallation } from "@/lib/testing/proofs/process-kills/installation";
import { settled, wrongsIn } from "@/lib/testing/proofs/process-kills/judge";
import { buy, openShop } from "@/lib/testing/proofs/process-kills/shop";

const BUYERS = 3;
const REST_MS = 400;
const LOADED_MS = 8_000;
const LIMIT_MS = 40_000;

/** `npm start` on Inngest: npm alone is told to stop while buyers buy, and started again; answers what was seen. */
export async function npmGone(binary: string, tick: number): Promise<string[]> {
  emptyInngest();
  const server = startInngest(binary, tick);
  await answering(`http://127.0.0.1:${PORTS.inngest}/health`);
  const house = await openInstallation({
    INNGEST_EVENT_KEY: EVENT_KEY,
    INNGEST_SIGNING_KEY: SIGNING_KEY,
    INNGEST_BASE_URL: `http://127.0.0.1:${PORTS.inngest}`,
  });
  const given = process.env.DATABASE_URL;
  try {
    await house.start();
    const shop = await openShop(house.base, house.account());
    let isOver = false;
    const wrongs: string[] = [];
    const buyers = Array.from({ length: BUYERS }, async (_, nth) => {
      for (let turn = nth; !isOver; turn += BUYERS) {
        await buy(shop, turn).catch((error: unknown) => wrongs.push(String(error)));
        await sleep(REST_MS);
      }
    });
    await sleep(LOADED_MS);
    const seconds = await house.endNpm(LIMIT_MS);
    await house.start();
    await sleep(LOADED_MS);
    isOver = true;
    await Promise.all(buyers);
    wrongs.push(...(await settled(shop)));
    await closePools();
    process.env.DATABASE_URL = house.databaseUrl();
    wrongs.push(...(await wrongsIn(shop)));
    return [
      `npm told to stop: nothing of ours after ${seconds.toFixed(1)} s; ${shop.written.length} writes answered, ` +
        `${shop.unanswered} asked again, ${wrongs.length} wrong`,
      ...wrongs.slice(0, 10),
    ];
  } finally {
    await closePools();
    process.env.DATABASE_URL = given;
    await house.close();
    await server.stop();
  }
}

import { recordCharge, recordPurchase, startRecording } from "@/bench/charges/recording";
import { headersOf, makeTokens, newChargeOf, openShop } from "@/bench/charges/shop";
import { serverCpuSeconds } from "@/bench/machine";
import { answerQuestions, launch, type Worker } from "@/bench/processes";
import { newPurchaseOf, openCardShop } from "@/bench/purchases/shop";
import { closeWorld, openWorld } from "@/bench/world";
import { closePools, systemSql } from "@/db/client";

/**
 * One commit of the product with a PostgreSQL of its own, asked from outside. The file is copied into the work tree of
 * an earlier commit, so it uses nothing that commit 3b0a731 does not have.
 */
export type HostQuestion =
  | { ask: "open"; what: What; profile?: string; acquirer?: Acquirer }
  | { ask: "bodies"; count: number }
  | { ask: "usage" }
  | { ask: "close" };

/** A card charge by token, captured at once; or an order on three saved cards, accepted and not worked on. */
export type What = "charges" | "purchases";

/** How SANDBOX is reached; `external` is an address of somebody who keeps nothing in this database. */
export interface Acquirer {
  transport: "in-process" | "http";
  external?: string;
}

const CARDS = 3;

export interface Opened {
  port: number;
  headers: Record<string, string>;
  /** Of one request, as recorded in this process. */
  statements: number;
  roundTrips: number;
}

export interface Usage {
  nodeSeconds: number;
  databaseSeconds: number;
  walBytes: number;
}

interface Requests {
  headers: Record<string, string>;
  flights: unknown[][];
  bodies(count: number): Promise<string[]>;
}

interface House extends Requests {
  server: Awaited<ReturnType<typeof openWorld>>;
  product: Worker;
}

let house: House | undefined;
const opened = (): House => {
  if (!house) throw new Error("not opened yet");
  return house;
};

// Guarantee: what newChargeOf writes is an object.
const captured = (body: string): string => JSON.stringify({ ...(JSON.parse(body) as object), capture: true });

const OPEN: Record<What, () => Promise<Requests>> = {
  async charges() {
    const shop = await openShop();
    const { flights } = await recordCharge(shop);
    const bodies = async (count: number): Promise<string[]> =>
      (await makeTokens(shop, count)).map((token) => captured(newChargeOf(shop, token)));
    return { headers: headersOf(shop), flights, bodies };
  },
  async purchases() {
    const shop = await openCardShop();
    const body = JSON.stringify(newPurchaseOf(shop, CARDS));
    const { flights } = await recordPurchase(shop, body);
    const bodies = async (count: number): Promise<string[]> => Array.from({ length: count }, () => body);
    return { headers: headersOf(shop), flights, bodies };
  },
};

answerQuestions<HostQuestion>(async (question): Promise<unknown> => {
  switch (question.ask) {
    case "open": {
      startRecording();
      const server = await openWorld();
      process.env.SANDBOX_TRANSPORT = question.acquirer?.transport ?? "in-process";
      if (question.acquirer?.external) process.env.SANDBOX_PROVIDER_URL = question.acquirer.external;
      const requests = await OPEN[question.what]();
      const product = launch("charges/product.ts", { profile: question.profile });
      const { port } = await product.ask<{ port: number }>({});
      house = { server, product, ...requests };
      const { headers, flights } = requests;
      return { port, headers, statements: flights.flat().length, roundTrips: flights.length } satisfies Opened;
    }
    case "bodies":
      return opened().bodies(question.count);
    case "usage": {
      const { product, server } = opened();
      const { cpuSeconds } = await product.ask<{ cpuSeconds: number }>({});
      const [wal] = await systemSql()<{ bytes: string }[]>`
        select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::text as bytes`;
      return {
        nodeSeconds: cpuSeconds,
        databaseSeconds: serverCpuSeconds(server.pid),
        walBytes: Number(wal?.bytes ?? 0),
      } satisfies Usage;
    }
    case "close": {
      const { product, server } = opened();
      await product.stop();
      await closePools();
      await closeWorld(server);
      return {};
    }
  }
});

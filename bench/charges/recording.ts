import { randomUUID } from "node:crypto";
import { dispatch } from "@/app/api/registry";
import { headersOf, makeTokens, newChargeOf, type Shop } from "@/bench/charges/shop";
import { observeStatements, type SentStatement } from "@/db/client";

/** What one request sent to the database, in flights: statements that went out before any answer came back. */
export interface Recording {
  flights: Statement[][];
}

export interface Statement {
  pool: SentStatement["pool"];
  /** Numbered from 0 within the recording. */
  connection: number;
  text: string;
  parameters: unknown[];
}

/** Enough for every statement to be known to every connection of the pools. */
const WARM_UP = 100;
const QUIET_MS = 1_000;

const sent: (Statement & { turn: number })[] = [];
let turn = 0;
let isCounting = false;

/** Nothing of an answer can be read before the event loop has turned: what is sent in one turn is one flight. */
function note({ pool, connection, text, parameters }: SentStatement): void {
  if (!isCounting) {
    isCounting = true;
    setImmediate(() => {
      turn += 1;
      isCounting = false;
    });
  }
  sent.push({ pool, connection, text, parameters: [...parameters], turn });
}

/** Must be called before any pool is open. */
export const startRecording = (): void => observeStatements(note);

export async function recordCharge(shop: Shop): Promise<Recording> {
  const tokens = await makeTokens(shop, WARM_UP + 1);
  const bodies = tokens.map((token) => newChargeOf(shop, token));
  return recorded(shop, "/v1/charges", bodies, 201);
}

export const recordPurchase = (shop: Shop, body: string): Promise<Recording> =>
  recorded(
    shop,
    "/v1/purchases",
    Array.from({ length: WARM_UP + 1 }, () => body),
    202,
  );

/** What the last of these requests sent. */
async function recorded(shop: Shop, path: string, bodies: string[], status: number): Promise<Recording> {
  for (const [index, body] of bodies.entries()) {
    // The request log is written by itself, half a second later, for many requests at once: not part of one.
    if (index >= WARM_UP) await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
    sent.length = 0;
    const response = await dispatch(
      new Request(`http://127.0.0.1${path}`, {
        method: "POST",
        headers: { ...headersOf(shop), "x-idempotency-key": randomUUID() },
        body,
      }),
    );
    if (response.status !== status) throw new Error(`${path} was refused: ${await response.text()}`);
  }
  return { flights: inFlights() };
}

function inFlights(): Statement[][] {
  const connections = [...new Set(sent.map(({ connection }) => connection))];
  const turns = [...new Set(sent.map((statement) => statement.turn))];
  return turns.map((each) =>
    sent
      .filter((statement) => statement.turn === each)
      .map(({ turn: _turn, connection, ...statement }) => ({
        ...statement,
        connection: connections.indexOf(connection),
      })),
  );
}

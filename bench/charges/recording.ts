import { randomUUID } from "node:crypto";
import { dispatch } from "@/app/api/registry";
import { headersOf, makeTokens, newChargeOf, type Shop } from "@/bench/charges/shop";
import { observeStatements, type SentStatement } from "@/db/client";

/** What one request sent to the database, in flights: statements that went out before any answer came back. */
export interface Recording {
  flights: Statement[][];
  /** The answer to the client. */
  answer: string;
  status: number;
  /** Identifiers that come with each request. */
  named: string[];
  /** Identifiers that are new with each request. */
  fresh: string[];
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
  const tokens = await makeTokens(shop, WARM_UP + 2);
  const bodies = tokens.map((token) => newChargeOf(shop, token));
  const [token] = tokens.slice(-2);
  if (!token) throw new Error("nothing was recorded");
  return { ...(await recorded(shop, "/v1/charges", bodies, 201)), named: [token.tokenId, token.vaultId] };
}

export async function recordPurchase(shop: Shop, body: string): Promise<Recording> {
  const bodies = Array.from({ length: WARM_UP + 2 }, () => body);
  return { ...(await recorded(shop, "/v1/purchases", bodies, 202)), named: [] };
}

/** The last but one of these requests; the last tells which identifiers are new each time. */
async function recorded(shop: Shop, path: string, bodies: string[], status: number): Promise<Omit<Recording, "named">> {
  const taken: { flights: Statement[][]; answer: string }[] = [];
  for (const body of bodies) {
    // The request log is written by itself, half a second later, for many requests at once: not part of one.
    if (taken.length >= WARM_UP) await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
    sent.length = 0;
    const response = await dispatch(
      new Request(`http://127.0.0.1${path}`, {
        method: "POST",
        headers: { ...headersOf(shop), "x-idempotency-key": randomUUID() },
        body,
      }),
    );
    const answer = await response.text();
    if (response.status !== status) throw new Error(`${path} was refused: ${answer}`);
    taken.push({ flights: inFlights(), answer });
  }
  const [one, other] = taken.slice(-2);
  if (!one || !other) throw new Error("nothing was recorded");
  const known = identifiersOf(other);
  return { ...one, status, fresh: [...identifiersOf(one)].filter((id) => !known.has(id)) };
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

/** With and without dashes: references to providers carry none. */
export const IDENTIFIER = /[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}/g;

function identifiersOf({ flights, answer }: { flights: Statement[][]; answer: string }): Set<string> {
  const texts = flights.flat().flatMap(({ parameters }) => parameters.map(textOf));
  return new Set(
    [...texts, answer].flatMap((text) => text.match(IDENTIFIER) ?? []).map((id) => id.replaceAll("-", "")),
  );
}

export function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (Buffer.isBuffer(value)) return value.toString("latin1");
  return typeof value === "object" && value !== null ? JSON.stringify(value) : "";
}

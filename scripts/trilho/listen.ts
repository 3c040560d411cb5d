import { writeFileSync } from "node:fs";
import { pause } from "@/lib/wait";
import type { Taken } from "@/lib/webhooks/listen";
import { type Api, Refused, Unreachable } from "@/scripts/trilho/api";
import type { Credentials } from "@/scripts/trilho/credentials";
import { type Cursor, readCursor, writeCursor } from "@/scripts/trilho/cursor";
import { createForward, type Forward, type Forwarded } from "@/scripts/trilho/forward";
import { CommandError, clockOf, columns, complain, dim, red, say, statusText } from "@/scripts/trilho/print";

const AT_ONCE = 10;
const WAIT_SECONDS = 5;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
const PAGE = 100;
const LONGEST_REPLAY_MS = 30 * 86_400_000;
const NOT_FOUND = 404;
const CONFLICT = 409;

interface Options {
  events: readonly string[];
  forwardTo: string | undefined;
  name: string | undefined;
  keyFile: string | undefined;
  isJson: boolean;
}

interface Listener {
  id: string;
  event: string;
  endpoint: string;
  publicKey: string;
  status: boolean;
}

interface EventText {
  id: string;
  object: string;
  event: string;
  entityVersion: number;
  createdAt: string;
  data: { id?: string; status?: string };
}

type Result = Forwarded & { deliveryId: string; receipt: string };

/** Reads until it is told to stop. An event counts as delivered once the local program answered for it. */
export async function listen(api: Api, who: Credentials, options: Options): Promise<void> {
  if (options.forwardTo !== undefined && !/^https?:\/\//.test(options.forwardTo)) {
    throw new CommandError("--forward-to is an address, like http://localhost:4242/hook");
  }
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());
  const steady = (work: () => Promise<Listener>) => whenReachable(stop.signal, work);
  const cursor = readCursor(who, options.name);
  const listener = await steady(() => openListener(api, cursor, wantedOf(options.events)));
  if (!listener) return;
  remember(who, options, cursor, { webhookId: listener.id });
  if (options.keyFile) writeFileSync(options.keyFile, listener.publicKey);
  if (!options.isJson) greet(listener, cursor, who, options);
  await read({ api, who, options, cursor, stop: stop.signal }, listener.id, steady);
}

interface Reading {
  api: Api;
  who: Credentials;
  options: Options;
  cursor: Cursor;
  stop: AbortSignal;
}

async function read(
  { api, who, options, cursor, stop }: Reading,
  firstId: string,
  steady: (work: () => Promise<Listener>) => Promise<Listener | undefined>,
): Promise<void> {
  let id = firstId;
  let results: Result[] = [];
  let restart = true;
  let failures = 0;
  const forward = options.forwardTo === undefined ? undefined : createForward(options.forwardTo, stop);
  while (!stop.aborted) {
    try {
      const { items } = await api.call<{ items: Taken[] }>("POST", `/v1/webhooks/${id}/listen`, {
        body: { results, limit: AT_ONCE, waitSeconds: WAIT_SECONDS, restart },
        signal: stop,
      });
      if (failures > 0) complain("connected again");
      failures = 0;
      restart = false;
      results = (await Promise.all(items.map((taken) => handle(taken, options, forward)))).flat();
      const newest = items.map(({ body }) => eventOf(body)).at(-1);
      if (newest) {
        remember(who, options, cursor, {
          lastEventId: newest.id,
          lastEventAt: newest.createdAt,
          taken: cursor.taken + items.length,
        });
      }
    } catch (error) {
      if (stop.aborted) break;
      if (error instanceof Refused && error.status === NOT_FOUND) {
        const again = await steady(() => openListener(api, cursor, wantedOf(options.events)));
        if (!again) break;
        id = again.id;
        remember(who, options, cursor, { webhookId: id });
        results = [];
        continue;
      }
      if (error instanceof Refused && error.status === CONFLICT) {
        throw new CommandError(`Another reader took ${cursor.name} over; --name gives a second one a name of its own.`);
      }
      if (!(error instanceof Unreachable)) throw error;
      if (failures === 0) complain(`${error.message}\ntrying again …`);
      // What was taken with an answer that never came is given back with the next call.
      restart = true;
      await pause(pauseMs(failures++), stop).catch(() => undefined);
    }
  }
  // What was answered for is told before we go; the rest is there again for the next reader.
  if (results.length > 0)
    await api.call("POST", `/v1/webhooks/${id}/listen`, { body: { results, limit: 0 } }).catch(() => undefined);
}

const pauseMs = (failures: number): number => Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(failures, 10));

async function whenReachable<T>(stop: AbortSignal, work: () => Promise<T>): Promise<T | undefined> {
  for (let failures = 0; !stop.aborted; failures++) {
    try {
      const done = await work();
      if (failures > 0) complain("connected");
      return done;
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      if (failures === 0) complain(`${error.message}\ntrying again …`);
      await pause(pauseMs(failures), stop).catch(() => undefined);
    }
  }
  return undefined;
}

/** The listener of this cursor: the one there is, or a new one that gets what the lost one did not take. */
async function openListener(api: Api, cursor: Cursor, wanted: string): Promise<Listener> {
  const endpoint = `listener:${cursor.name}`;
  const found = await findListener(api, endpoint);
  if (found) {
    if (found.event === wanted && found.status) return found;
    return api.call<Listener>("PATCH", `/v1/webhooks/${found.id}`, { body: { event: wanted, status: true } });
  }
  const made = await api
    .call<Listener>("POST", "/v1/webhooks", { body: { event: wanted, endpoint } })
    .catch((error: unknown) => {
      if (error instanceof Refused && error.status === CONFLICT) throw new Unreachable("the listener was just made");
      throw error;
    });
  if (cursor.lastEventAt) await catchUp(api, made.id, cursor.lastEventAt);
  return made;
}

async function findListener(api: Api, endpoint: string): Promise<Listener | undefined> {
  for (let page = 1; ; page++) {
    const { items, meta } = await api.call<{ items: Listener[]; meta: { totalPages: number } }>("GET", "/v1/webhooks", {
      query: { page, limit: PAGE, order: "asc" },
    });
    const found = items.find((webhook) => webhook.endpoint === endpoint);
    if (found || page >= meta.totalPages) return found;
  }
}

/** What is newer than the cursor, by the account's own clock. One that is sent twice has the same id. */
async function catchUp(api: Api, id: string, lastEventAt: string): Promise<void> {
  const newest = await api.call<{ items: EventText[] }>("GET", "/v1/events", { query: { limit: 1 } });
  const until = newest.items[0]?.createdAt;
  if (!until || until <= lastEventAt) return;
  const since = new Date(Math.max(Date.parse(lastEventAt), Date.parse(until) - LONGEST_REPLAY_MS)).toISOString();
  await api.call("POST", `/v1/webhooks/${id}/replay`, { body: { since, until } });
}

const wantedOf = (events: readonly string[]): string => (events.length === 1 ? (events[0] ?? "*") : "*");

const isWanted = ({ object, event }: EventText, events: readonly string[]): boolean =>
  events.some((wanted) => wanted === "*" || wanted === `${object}.*` || wanted === `${object}.${event}`);

// Guarantee: the frozen text of an event.
const eventOf = (body: string): EventText => JSON.parse(body) as EventText;

const NOTHING_TO_DO: Forwarded = { durationMs: 0, statusCode: 200 };

/** What to tell of it; nothing when nobody was there to answer for it. */
async function handle(
  { deliveryId, receipt, attempt, headers, body }: Taken,
  options: Options,
  forward: Forward | undefined,
): Promise<Result[]> {
  const event = eventOf(body);
  const isShown = isWanted(event, options.events);
  const result = isShown && forward ? await forward(headers, body) : NOTHING_TO_DO;
  if (!result) return [];
  if (isShown) {
    if (options.isJson) say(JSON.stringify({ deliveryId, attempt, headers, event, ...result }));
    else say(lineOf(event, attempt, result, forward !== undefined));
  }
  return [{ deliveryId, receipt, ...result }];
}

const NAME_WIDTH = 32;

function lineOf(event: EventText, attempt: number, result: Forwarded, isForwarded: boolean): string {
  const { statusCode, error, durationMs } = result;
  const answer = error ? red(error) : statusText(statusCode ?? 0);
  const tail = isForwarded ? `→ ${answer} ${dim(`${durationMs} ms`)}` : (event.data.status ?? "");
  return [
    columns([clockOf(event.createdAt), 8], [`${event.object}.${event.event}`, NAME_WIDTH], [event.id, 36]),
    tail,
    ...(attempt > 1 ? [dim(`attempt ${attempt}`)] : []),
  ].join("  ");
}

function greet(listener: Listener, cursor: Cursor, who: Credentials, options: Options): void {
  say(`Listening to ${options.events.join(", ")} of ${who.clientId} as ${listener.endpoint}`);
  if (options.forwardTo) say(`Sending on to ${options.forwardTo}`);
  say(cursor.lastEventAt ? `Since ${cursor.lastEventAt}, event ${cursor.lastEventId}` : "From now on");
  say(
    `\nThe key that verifies what is sent${options.keyFile ? `, also in ${options.keyFile}` : ""}:\n${listener.publicKey.trim()}\n`,
  );
  say("Ready. Ctrl-C ends; what happens meanwhile waits.\n");
}

function remember(who: Credentials, options: Options, cursor: Cursor, changes: Partial<Cursor>): void {
  Object.assign(cursor, changes);
  writeCursor(who, options.name, cursor);
}

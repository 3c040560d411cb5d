import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  CONNECTION_FOUND,
  doubtConnection,
  hasConnection,
  isReachable,
  mayBeLost,
  NO_CONNECTION,
  whenReachable,
} from "@/components/dashboard/connection";

const said: string[] = [];
const network = { onLine: true, answers: true, asked: [] as string[] };
const go = vi.fn();

beforeEach(async () => {
  Object.assign(network, { onLine: true, answers: true, asked: [] });
  const heard = new EventTarget();
  for (const name of [NO_CONNECTION, CONNECTION_FOUND]) heard.addEventListener(name, ({ type }) => said.push(type));
  vi.stubGlobal("window", heard);
  vi.stubGlobal("navigator", network);
  vi.stubGlobal("fetch", async (path: string, { method }: RequestInit) => {
    network.asked.push(`${method} ${path}`);
    if (!network.answers) throw new TypeError("Failed to fetch");
    return new Response(null, { status: 503 });
  });
  await isReachable();
  said.length = 0;
  network.asked.length = 0;
  go.mockReset();
});
afterEach(() => vi.unstubAllGlobals());

describe("the connection", () => {
  test("is not asked about before a page is left, while nothing was lost", async () => {
    expect([hasConnection(), mayBeLost()]).toEqual([true, false]);
    await whenReachable(go);
    expect([go.mock.calls.length, network.asked, said]).toEqual([1, [], []]);
  });

  test("that died although the browser calls it alive: the page stays, and says why", async () => {
    network.answers = false;
    expect(await isReachable()).toBe(false);
    expect(mayBeLost()).toBe(true);
    await whenReachable(go);
    expect([go.mock.calls.length, said]).toEqual([0, [NO_CONNECTION]]);
  });

  test("that is back: whoever pressed goes on, and the note goes", async () => {
    doubtConnection();
    await whenReachable(go);
    expect([go.mock.calls.length, network.asked, said]).toEqual([1, ["HEAD /livez"], [CONNECTION_FOUND]]);
    expect(mayBeLost()).toBe(false);
  });

  test("is there for whatever answers: a server that is busy is no lost network", async () => {
    expect(await isReachable()).toBe(true);
  });

  test("that the browser knows is gone is asked of nobody", async () => {
    network.onLine = false;
    expect([await isReachable(), hasConnection(), mayBeLost()]).toEqual([false, false, true]);
    expect([network.asked, said]).toEqual([[], [NO_CONNECTION]]);
  });
});

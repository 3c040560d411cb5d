import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { followElsewhere } from "@/components/checkout/islands/stale";

const FORM = { url: "https://pay.example/pay/1?lang=en", state: "open" };
const RUNNING = { url: "https://pay.example/pay/1/p/abc?lang=en", state: "running" };
const PAID = { url: "https://pay.example/pay/1?lang=en", state: "paid" };
const CODE_WAITS = { url: "https://pay.example/pay/1?lang=en", state: "in_use" };

let link: { url: string; state: string } | undefined;
let hasRefusal: boolean;
let isSending: boolean;
let asked: number;
let left: string[];
let page: EventTarget & { hidden: boolean };
let frame: EventTarget;

beforeEach(() => {
  vi.useFakeTimers();
  [link, hasRefusal, isSending, asked, left] = [FORM, true, false, 0, []];
  frame = new EventTarget();
  page = Object.assign(new EventTarget(), { hidden: false, querySelector: () => (hasRefusal ? {} : null) });
  vi.stubGlobal("document", page);
  vi.stubGlobal("addEventListener", frame.addEventListener.bind(frame));
  vi.stubGlobal("location", { replace: (url: string) => left.push(url) });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const follow = (isSent = false) =>
  followElsewhere({
    look: async () => {
      asked += 1;
      return link;
    },
    isSending: () => isSending,
    isSent,
  });
const seen = () => page.dispatchEvent(new Event("visibilitychange"));
const minute = () => vi.advanceTimersByTimeAsync(60_000);

test("a refusal drawn while the payment was on its way gives way to it", async () => {
  follow();
  await vi.advanceTimersByTimeAsync(10_000);
  expect([asked > 0, left]).toEqual([true, []]);
  link = RUNNING;
  await minute();
  expect(left[0]).toBe(RUNNING.url);
});

test("it is asked for half a minute, and then when the page is looked at again", async () => {
  follow();
  await minute();
  const before = asked;
  expect(before).toBeLessThanOrEqual(10);
  await minute();
  expect(asked).toBe(before);
  page.hidden = true;
  seen();
  expect(asked).toBe(before);
  link = PAID;
  page.hidden = false;
  seen();
  await vi.advanceTimersByTimeAsync(0);
  expect(left).toEqual([PAID.url]);
});

test.each(["focus", "pageshow"])("the window's %s asks as well", async (event) => {
  follow();
  await minute();
  link = RUNNING;
  frame.dispatchEvent(new Event(event));
  await vi.advanceTimersByTimeAsync(0);
  expect(left).toEqual([RUNNING.url]);
});

test("nothing typed is given up for a link that is still open, or that only has a code waiting", async () => {
  follow();
  for (const state of [FORM, CODE_WAITS, undefined]) {
    link = state;
    seen();
    await vi.advanceTimersByTimeAsync(0);
  }
  isSending = true;
  link = PAID;
  seen();
  await vi.advanceTimersByTimeAsync(0);
  expect(left).toEqual([]);
});

test("a page without a refusal asks nothing, but after a press that was never answered", async () => {
  hasRefusal = false;
  follow();
  seen();
  await minute();
  expect(asked).toBe(0);
  follow(true);
  link = PAID;
  await minute();
  expect(left[0]).toBe(PAID.url);
});

import { endpoint } from "@/app/api/endpoint";
import { setTestClock } from "@/lib/providers/sandbox/api/clock";
import { clockBody, clockInput, movedClockBody } from "@/lib/providers/sandbox/api/schema";
import { readClock } from "@/lib/scheduler/clock";

const PATH = "/v1/sandbox/clock";
const TAG = "Sandbox";

export const GET = endpoint({
  method: "GET",
  path: PATH,
  tag: TAG,
  summary: "Read the account's test clock",
  access: "secret",
  sandboxOnly: true,
  reply: clockBody,
  status: 200,
  handle: (ctx) => Promise.resolve(readClock(ctx.account)),
});

export const POST = endpoint({
  method: "POST",
  path: PATH,
  tag: TAG,
  summary: "Move the account's test clock forward",
  description:
    "The answer comes when everything that became due on the way has run, in the order of its moments. " +
    "At most 400 days a call, forward only.",
  access: "secret",
  sandboxOnly: true,
  inBand: true,
  body: clockInput,
  reply: movedClockBody,
  status: 200,
  errors: ["idempotency_key_payload_mismatch", "idempotency_key_in_progress"],
  examples: {
    advance: { summary: "A month and a day on", body: { advance: "P1M1D" } },
    stop: { summary: "Ten seconds on, and stop there", body: { advance: "PT10S", freeze: true } },
    run: { summary: "Let it run again", body: { freeze: false } },
  },
  handle: (_, { body }, answer) => answer.held((inside) => setTestClock(inside, body)),
});

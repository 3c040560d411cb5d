import { endpoint } from "@/app/api/endpoint";
import { settingsBody, settingsInput } from "@/lib/providers/sandbox/api/schema";
import { changeSettings, readSettings } from "@/lib/providers/sandbox/api/settings";

const PATH = "/v1/sandbox/settings";
const TAG = "Sandbox";

export const GET = endpoint({
  method: "GET",
  path: PATH,
  tag: TAG,
  summary: "Read the sandbox settings",
  access: "secret",
  sandboxOnly: true,
  reply: settingsBody,
  status: 200,
  handle: (ctx) => Promise.resolve(readSettings(ctx)),
});

export const PATCH = endpoint({
  method: "PATCH",
  path: PATH,
  tag: TAG,
  summary: "Let payments settle by themselves, or not",
  description: "Concerns Pix, boletos and wallets created from now on; a Pix above R$ 500.00 never pays itself.",
  access: "secret",
  sandboxOnly: true,
  body: settingsInput,
  reply: settingsBody,
  status: 200,
  examples: {
    on: { summary: "Paid ten seconds later", body: { autoSettleSeconds: 10 } },
    off: { summary: "Off, as it is at first", body: { autoSettleSeconds: null } },
  },
  handle: (ctx, { body }) => changeSettings(ctx, body),
});

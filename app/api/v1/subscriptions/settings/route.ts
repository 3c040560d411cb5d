import { endpoint } from "@/app/api/endpoint";
import { settingsBody, settingsChanges } from "@/lib/subscriptions/schema";
import { serializeSettings } from "@/lib/subscriptions/serializer";
import { changeSettings, readSettings } from "@/lib/subscriptions/settings";

export const GET = endpoint({
  method: "GET",
  path: "/v1/subscriptions/settings",
  tag: "Subscriptions",
  summary: "Read the subscription settings",
  description: "404 before they were first written; until then retries come 1, 3, 5 and 7 days after a decline.",
  access: "secret",
  reply: settingsBody,
  status: 200,
  errors: ["settings_not_found"],
  handle: async (ctx) => serializeSettings(await readSettings(ctx)),
});

export const PATCH = endpoint({
  method: "PATCH",
  path: "/v1/subscriptions/settings",
  tag: "Subscriptions",
  summary: "Write the subscription settings",
  description:
    "Makes them, or changes the members sent. A cycle that was declined before keeps the policy of its first decline.",
  access: "secret",
  body: settingsChanges,
  reply: settingsBody,
  status: 200,
  errors: ["settings_no_effective_field"],
  examples: {
    policy: {
      summary: "Three retries, a week apart at the end",
      body: {
        retryPolicy: [{ daysAfterLastAttempt: 2 }, { daysAfterLastAttempt: 3 }, { daysAfterLastAttempt: 7 }],
        statementDescriptor: "LOJA AZUL",
      },
    },
  },
  handle: async (ctx, { body }) => serializeSettings(await changeSettings(ctx, body)),
});

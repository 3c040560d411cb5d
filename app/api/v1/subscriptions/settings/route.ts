import { endpoint } from "@/app/api/endpoint";
import { settingsChanges, subscriptionSettingsBody } from "@/lib/subscriptions/schema";
import { serializeSubscriptionSettings } from "@/lib/subscriptions/serializer";
import { changeSubscriptionSettings, readSubscriptionSettings } from "@/lib/subscriptions/settings";

export const GET = endpoint({
  method: "GET",
  path: "/v1/subscriptions/settings",
  tag: "Subscriptions",
  summary: "Read the subscription settings",
  description: "404 before they were first written; until then retries come 1, 3, 5 and 7 days after a decline.",
  access: "secret",
  reply: subscriptionSettingsBody,
  status: 200,
  errors: ["settings_not_found"],
  handle: async (ctx) => serializeSubscriptionSettings(await readSubscriptionSettings(ctx)),
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
  reply: subscriptionSettingsBody,
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
  handle: async (ctx, { body }) => serializeSubscriptionSettings(await changeSubscriptionSettings(ctx, body)),
});

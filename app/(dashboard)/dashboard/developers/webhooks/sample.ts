import { isUuid } from "@/lib/ids";

const WEBHOOKS = "/dashboard/developers/webhooks";

/** The form for an example of an event, begun for one webhook. */
export const sampleAddress = (event: string, webhookId: string): string =>
  `${WEBHOOKS}/events?event=${event}&webhook=${webhookId}`;

/** Where that form was opened: at the webhook that it names, else in the catalogue. */
export const sampleOpenedAt = (webhookId: string | undefined): string =>
  webhookId !== undefined && isUuid(webhookId) ? `${WEBHOOKS}/${webhookId}` : `${WEBHOOKS}/events`;

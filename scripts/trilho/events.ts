import { isUuid } from "@/lib/ids";
import type { Api } from "@/scripts/trilho/api";
import { CommandError, clockOf, columns, say } from "@/scripts/trilho/print";

const PAGE = 100;
const NAME_WIDTH = 32;

interface EventItem {
  id: string;
  object: string;
  event: string;
  objectId: string;
  createdAt: string;
}
interface Webhook {
  id: string;
  event: string;
  endpoint: string;
  status: boolean;
}
interface Listed<T> {
  items: T[];
  meta: { totalPages: number };
}

const nameOf = ({ object, event }: EventItem): string => `${object}.${event}`;

export async function listEvents(api: Api, { event, limit }: { event?: string | undefined; limit: number }) {
  const query = { limit, order: "desc", ...(event ? { event } : {}) };
  const { items } = await api.call<Listed<EventItem>>("GET", "/v1/events", { query });
  for (const item of items.reverse()) {
    say(columns([clockOf(item.createdAt), 8], [nameOf(item), NAME_WIDTH], [item.id, 36], [item.objectId, 36]));
  }
}

/** To every webhook that had it, or to the one that is named, whether it had it or not. */
export async function resendEvent(api: Api, eventId: string, endpoint: string | undefined): Promise<void> {
  if (!isUuid(eventId)) throw new CommandError("EVENT_ID is an id as trilho events list shows it");
  const event = await api.call<EventItem>("GET", `/v1/events/${eventId}`);
  const webhooks = (await allWebhooks(api)).filter(
    (webhook) => endpoint === undefined || webhook.id === endpoint || webhook.endpoint === endpoint,
  );
  if (webhooks.length === 0) throw new CommandError("There is no such webhook: GET /v1/webhooks lists them");
  let sent = 0;
  for (const webhook of webhooks) {
    const how = await resendTo(api, webhook, event, endpoint !== undefined);
    if (how === undefined) continue;
    sent += 1;
    say(`${nameOf(event)} ${event.id} → ${webhook.endpoint} (${how})`);
  }
  if (sent === 0) throw new CommandError("No webhook had this event; --endpoint names one to send it to");
}

async function resendTo(
  api: Api,
  webhook: Webhook,
  event: EventItem,
  isNamed: boolean,
): Promise<"resent" | "replayed" | undefined> {
  const deliveries = `/v1/webhooks/${webhook.id}/deliveries`;
  const { items } = await api.call<Listed<{ id: string }>>("GET", deliveries, {
    query: { eventId: event.id, limit: 1 },
  });
  const [delivery] = items;
  if (delivery && webhook.status) {
    await api.call("POST", `${deliveries}/${delivery.id}/resend`);
    return "resent";
  }
  if (!isNamed) return undefined;
  // It never had it: the window of this one moment and name brings it.
  const body = { since: event.createdAt, until: event.createdAt, event: nameOf(event) };
  const { count } = await api.call<{ count: number }>("POST", `/v1/webhooks/${webhook.id}/replay`, { body });
  return count > 0 ? "replayed" : undefined;
}

async function allWebhooks(api: Api): Promise<Webhook[]> {
  const found: Webhook[] = [];
  for (let page = 1; ; page++) {
    const { items, meta } = await api.call<Listed<Webhook>>("GET", "/v1/webhooks", { query: { page, limit: PAGE } });
    found.push(...items);
    if (page >= meta.totalPages) return found;
  }
}

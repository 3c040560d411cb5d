import { isUuid } from "@/lib/ids";

/** Where the dashboard shows an object, by the first part of an event's name or of a path of the API. */
const PAGES: Readonly<Record<string, string | undefined>> = {
  transaction: "payments",
  charges: "payments",
  purchase: "payments",
  purchases: "payments",
  session: "links",
  sessions: "links",
  customer: "customers",
  customers: "customers",
  merchants: "merchants",
  webhooks: "developers/webhooks",
};

/** The page of what an event (`transaction.paid`) or a path (`/v1/charges/…`) is about; none where nothing shows it. */
export function placeOf(name: string, id: string): string | undefined {
  const [object = ""] = name.replace(/^\/v1\//, "").split(/[./]/);
  const page = PAGES[object];
  return page && isUuid(id) ? `/dashboard/${page}/${id}` : undefined;
}

import { endpoint } from "@/app/api/endpoint";
import { totalsOfDay } from "@/lib/providers/sandbox/api/records";
import { dayFilter, dayTotalsBody } from "@/lib/providers/sandbox/api/schema";

export const GET = endpoint({
  method: "GET",
  path: "/v1/sandbox/ledger",
  tag: "Sandbox",
  summary: "The simulator's own totals of a day",
  description:
    "A day in America/Sao_Paulo, up to the present of the account's clock. " +
    "An instalment whose own part the account prepaid is settled whole on its new date, the sellers' parts with it; " +
    "one of which only a seller's part was prepaid is settled on its usual date.",
  access: "secret",
  sandboxOnly: true,
  query: dayFilter,
  reply: dayTotalsBody,
  status: 200,
  examples: { day: { summary: "One day", query: { date: "2026-11-20" } } },
  handle: (ctx, { query }) => totalsOfDay(ctx, query.date),
});

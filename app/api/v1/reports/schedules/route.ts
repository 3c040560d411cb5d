import { endpoint } from "@/app/api/endpoint";
import { createDefinition, listDefinitions } from "@/lib/reports/definitions";
import { newSchedule, scheduleBody, scheduleList } from "@/lib/reports/schema";
import { serializeSchedule } from "@/lib/reports/serializer";
import { voiceOf } from "@/lib/reports/service";

export const POST = endpoint({
  method: "POST",
  path: "/v1/reports/schedules",
  tag: "Reports",
  summary: "Schedule a report",
  description:
    "Each day, each Monday or on the first of each month: the report of the day, week or month before. Headers as of a report. At most 20 of an account, with those that the dashboard keeps.",
  access: "secret",
  body: newSchedule,
  reply: scheduleBody,
  status: 201,
  errors: ["report_limit_reached"],
  examples: {
    monthly: {
      summary: "The receivables of each month",
      body: {
        name: "Receivables",
        cron: "monthly",
        time: "07:30",
        report: { sendTo: "fin@example.com", type: "receivables", fields: "all", filters: {} },
      },
    },
  },
  handle: async (ctx, { body: { name, cron, time, report }, headers }) =>
    serializeSchedule(await createDefinition(ctx, { name, report, schedule: { cron, time } }, voiceOf(headers))),
});

export const GET = endpoint({
  method: "GET",
  path: "/v1/reports/schedules",
  tag: "Reports",
  summary: "List scheduled and kept reports",
  access: "secret",
  reply: scheduleList,
  status: 200,
  examples: { all: { summary: "All of them" } },
  handle: async (ctx) => ({ items: (await listDefinitions(ctx)).map(serializeSchedule) }),
});

import { z } from "zod";
import { MONITOR_KINDS, MONITOR_METRICS } from "@/db/schema/monitors";
import { instantOut } from "@/lib/http/fields";

/** A monitor as its events show it. */
export const monitorBody = z
  .object({
    id: z.uuid(),
    clientId: z.uuid(),
    name: z.string(),
    status: z.enum(["firing", "quiet"]),
    metric: z.enum(MONITOR_METRICS),
    kind: z.enum(MONITOR_KINDS).meta({ description: "Held against a number, or against the same hour of four weeks" }),
    value: z.number().meta({ description: "What was found: per cent, milliseconds or a number, as the metric is" }),
    limit: z.number().meta({ description: "The number it was held against" }),
    samples: z.int().min(0).meta({ description: "Of how many payments, attempts or deliveries" }),
    windowFrom: instantOut,
    windowUntil: instantOut,
  })
  .meta({ id: "MonitorEvent", description: "What a monitor found, in the window it looked at" });
export type MonitorBody = z.output<typeof monitorBody>;

import { z } from "zod";
import { instantOut } from "@/lib/http/fields";

const count = z.int().min(0);

export const invariantReport = z
  .object({
    checkedAt: instantOut,
    durationMs: count,
    holds: z.boolean().meta({ description: "no invariant has a violation" }),
    invariants: z.array(
      z
        .object({
          id: z.string(),
          description: z.string(),
          checked: count.meta({ description: "rows looked at" }),
          violations: count,
          ids: z.array(z.string()).meta({ description: "of the rows that break it, at most 100" }),
          durationMs: count,
        })
        .meta({ id: "InvariantCheck" }),
    ),
  })
  .meta({ id: "InvariantReport" });

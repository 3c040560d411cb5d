import type { Invariant } from "@/lib/invariants/catalogue";

/** Ids told of one invariant at most. */
export const MOST_IDS = 100;

export interface FoundViolation {
  checked: number;
  violations: number;
  rows: { id: string; clientId: string }[];
}

/** One statement, so one snapshot: how many rows were picked, how many of them break it, and the first of those. */
export const auditText = ({ sql }: Invariant, picked: string): string => `
  with picked(id) as materialized (${picked}), broken as materialized (${sql})
  select (select count(*) from picked)::int as checked, (select count(*) from broken)::int as violations,
         coalesce((select json_agg(json_build_object('id', b.id, 'clientId', b.client_id))
                     from (select id, client_id from broken order by id limit ${MOST_IDS}) b), '[]'::json) as rows`;

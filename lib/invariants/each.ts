import type { Root } from "@/lib/invariants/catalogue";

/**
 * Each picked row by its key, for a `from`. The fence makes the condition that follows see those rows alone: of two small
 * sides the planner may otherwise pair every picked row with every row of its account first.
 */
export const each = (root: Root, alias: string): string =>
  `picked cross join lateral (select * from ${root} where id = picked.id offset 0) ${alias}`;

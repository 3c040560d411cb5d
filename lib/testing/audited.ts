import type postgres from "postgres";
import { INVARIANTS } from "@/lib/invariants/catalogue";
import { auditText, type FoundViolation } from "@/lib/invariants/query";

/** All that the database can be asked of a charge; what is looked for by a job is not looked for by what forgets jobs. */
const OF_CHARGES = INVARIANTS.filter(({ root, id }) => root === "charges" && id !== "M17");

/** What of these charges is not as spec/invariants.md says: one text for each charge and rule. `picked` answers their ids. */
export async function brokenOf(sql: postgres.Sql, picked: string): Promise<{ id: string; wrong: string }[]> {
  const broken: { id: string; wrong: string }[] = [];
  for (const invariant of OF_CHARGES) {
    const [found] = await sql.unsafe<FoundViolation[]>(auditText(invariant, picked));
    for (const { id } of found?.rows ?? []) broken.push({ id, wrong: `${invariant.id}: not ${invariant.text}` });
  }
  return broken;
}

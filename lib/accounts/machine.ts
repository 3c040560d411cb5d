import type { clients } from "@/db/schema/accounts";
import { defineMachine } from "@/lib/machine";

export type AccountStatus = (typeof clients.$inferSelect)["status"];

/** Rows [id, from, fact, to]: disabled is the installation's word, closed the owners' own. */
export const accountMachine = defineMachine<AccountStatus>("account", [
  ["A1", "active", "disabled", "disabled"],
  ["A2", "disabled", "enabled", "active"],
  ["A3", "active", "closed", "closed"],
  ["A4", "closed", "reopened", "active"],
]);

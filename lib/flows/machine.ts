import type { FlowStatus } from "@/db/schema/flows";
import { defineMachine } from "@/lib/machine";

export const flowMachine = defineMachine<FlowStatus>("flow", [
  ["F1", "draft", "activated", "active"],
  ["F2", "draft", "archived", "archived"],
  ["F3", "active", "archived", "archived"],
]);

/** The event of `flow` for each fact of its machine. */
export const FLOW_EVENTS: Readonly<Record<string, "activated" | "archived">> = {
  activated: "activated",
  archived: "archived",
};

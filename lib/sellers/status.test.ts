import { expect, test } from "vitest";
import { type StatusFacts, statusOf } from "@/lib/sellers/status";

type Registration = StatusFacts["registrations"][number]["status"];
type Review = StatusFacts["reviews"][number]["status"];

/** Reviews in the order in which they ended; those that are open have not. */
const facts = (registrations: Registration[], reviews: Review[] = [], isSwitchedOff = false): StatusFacts => ({
  registrations: registrations.map((status) => ({ status })),
  reviews: reviews.map((status, index) => ({
    status,
    closedAt: status === "opened" || status === "submitted" ? null : new Date(index),
  })),
  isSwitchedOff,
});

test.each([
  ["pending", facts(["pending"])],
  ["pending", facts(["pending", "refused"])],
  ["active", facts(["active", "active"])],
  ["partial", facts(["active", "pending"])],
  ["partial", facts(["active", "blocked"])],
  ["inactive", facts(["refused", "inactive"])],
  ["inactive", facts(["refused", "blocked"])],
  ["inactive", facts(["active"], [], true)],
  ["blocked", facts(["blocked", "blocked"], [], true)],
  ["active", facts(["active"], ["opened"])],
  ["active", facts(["active"], ["submitted"])],
  ["inactive", facts(["active"], ["rejected"])],
  ["active", facts(["active"], ["rejected", "approved"])],
  ["blocked", facts(["active"], ["expired"])],
  ["blocked", facts(["active"], ["approved", "expired"])],
  ["active", facts(["active"], ["expired", "approved"])],
  ["blocked", facts(["active"], ["expired", "rejected"])],
  ["blocked", facts(["active"], ["expired"], true)],
])("%s", (expected, given) => {
  expect(statusOf(given)).toBe(expected);
});

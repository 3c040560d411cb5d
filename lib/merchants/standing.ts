import { isSimulatedKind } from "@/lib/providers/kinds";

export type Standing = "inUse" | "untested" | "failed" | "unavailable";

interface Connection {
  kind: string;
  routable: boolean;
  testPassed: boolean | null;
}

/** What is said of a connection; where payments go is no matter of it. The simulator is this installation itself. */
export function connectionStanding({ kind, routable, testPassed }: Connection): Standing {
  if (!routable) return "unavailable";
  if (testPassed === false) return "failed";
  return testPassed || isSimulatedKind(kind) ? "inUse" : "untested";
}

import { createEndpoint } from "@/lib/http/endpoint";
import { parseScenario } from "@/lib/providers/sandbox/scenario";

/** The composition root of the REST API: the edge, and what it must know of the simulator. */
export const endpoint = createEndpoint({
  scenarioProblems: (given) => {
    const parsed = parseScenario(given);
    return parsed.ok ? [] : parsed.problems;
  },
});

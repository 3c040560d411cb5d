import { createEndpoint } from "@/lib/http/endpoint";
import { scenarioProblems } from "@/lib/providers/sandbox/api/scenario-header";

/** The composition root of the REST API: the edge, and what it must know of the simulator. */
export const endpoint = createEndpoint({ scenarioProblems });

import { randomUUID } from "node:crypto";
import { Pool } from "undici";
import { inParallel, type Measured } from "@/bench/latencies";
import { answerQuestions } from "@/bench/processes";

/** The load generator, in a process of its own: one request after the other on each of its connections. */
export interface Load {
  origin: string;
  method: "GET" | "POST";
  path: string;
  headers: Record<string, string>;
  /** One request each. */
  bodies: string[];
  connections: number;
  expected: number;
}

answerQuestions<Load>(async ({ origin, method, path, headers, bodies, connections, expected }): Promise<Measured> => {
  const pool = new Pool(origin, { connections, pipelining: 1 });
  try {
    return await inParallel(bodies, connections, async (body) => {
      const answer = await pool.request({
        method,
        path,
        headers: method === "POST" ? { ...headers, "x-idempotency-key": randomUUID() } : headers,
        ...(method === "POST" ? { body } : {}),
      });
      const text = await answer.body.text();
      if (answer.statusCode !== expected) throw new Error(`answered ${answer.statusCode}: ${text.slice(0, 500)}`);
    });
  } finally {
    await pool.close();
  }
});

import { createPrivateKey, generateKeyPairSync } from "node:crypto";
import { Pool } from "undici";
import { inParallel, type Measured } from "@/bench/latencies";
import { answerQuestions } from "@/bench/processes";
import { newId } from "@/lib/ids";
import { realNow } from "@/lib/time";
import { signedHeaders } from "@/lib/webhooks/signature";

/** What a delivery cannot cost less than: both signatures and a POST, by undici, in one process that does nothing else. */
interface Question {
  port: number;
  bodies: string[];
  connections: number;
}

const { privateKey } = generateKeyPairSync("ed25519");
const key = createPrivateKey({
  key: privateKey.export({ type: "pkcs8", format: "der" }),
  type: "pkcs8",
  format: "der",
});

answerQuestions<Question>(async ({ port, bodies, connections }): Promise<Measured> => {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections, pipelining: 1 });
  try {
    return await inParallel(bodies, connections, async (text) => {
      const body = Buffer.from(text);
      const headers = signedHeaders({ eventId: newId(), body, at: realNow(), key });
      const answer = await pool.request({ method: "POST", path: "/hook", headers, body });
      await answer.body.dump();
    });
  } finally {
    await pool.close();
  }
});

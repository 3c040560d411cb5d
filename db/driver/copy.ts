import { once } from "node:events";
import type postgres from "postgres";

/**
 * What `copy … to stdout` sends, piece by piece; the server waits for whoever reads. Who stops early waits until the rest
 * has passed: only then the connection can answer something else.
 *
 * The driver pauses its socket when a piece fills the stream, and resumes it when the stream wants more. One that has
 * ended wants nothing: if the piece that filled it came together with the end, the socket stays paused, and the next
 * statement is never answered. So it is resumed here.
 */
export async function* copyOut(sql: Pick<postgres.Sql, "unsafe">, statement: string): AsyncGenerator<Buffer> {
  const stream = await sql.unsafe(statement).readable();
  try {
    // Guarantee: the driver pushes bytes.
    for await (const piece of stream.iterator({ destroyOnReturn: false })) yield piece as Buffer;
  } finally {
    if (!(stream.readableEnded || stream.destroyed)) {
      stream.resume();
      await once(stream, "end");
    }
    stream._read(0);
  }
}

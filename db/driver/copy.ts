import { once } from "node:events";
import { Readable } from "node:stream";
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
  const query = sql.unsafe(statement);
  heardFromTheStart(query);
  const stream = await query.readable();
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

/**
 * A copy that fails at its first row brings its stream and its error in one read: the stream would throw at nobody before
 * whoever asked for it holds it. The iterator tells of the error all the same.
 */
function heardFromTheStart(query: object): void {
  // Guarantee: the driver ends a query by this member of its own: here with the stream, and at the end of all once more.
  const pending = query as { resolve: (value: unknown) => void };
  const { resolve } = pending;
  pending.resolve = (value) => {
    if (value instanceof Readable) value.on("error", () => undefined);
    resolve(value);
  };
}

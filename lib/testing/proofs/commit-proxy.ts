import { connect, createServer, type Server, type Socket } from "node:net";

/** Between the product and PostgreSQL: passes everything on, and swallows the answers of some COMMITs. */
export interface CommitProxy {
  port: number;
  /** COMMITs that were carried out and whose answer nobody got. */
  swallowed(): number;
  close(): Promise<void>;
}

const LENGTH_BYTES = 4;
const QUERY = "Q".charCodeAt(0);
const PARSE = "P".charCodeAt(0);
const COMPLETE = "C".charCodeAt(0);

/** `isSwallowed` is asked at each COMMIT, with its number. The connection breaks instead of the answer. */
export async function commitProxy(target: URL, isSwallowed: (nth: number) => boolean): Promise<CommitProxy> {
  let [commits, swallowed] = [0, 0];
  const sockets = new Set<Socket>();
  const server: Server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    let isAwaited = false;
    const asked = frames(true, (type, content) => {
      const isCommit = (type === QUERY || type === PARSE) && /(^|\0)commit\b/i.test(content.toString("latin1"));
      if (isCommit) isAwaited ||= isSwallowed(++commits);
    });
    const answered = frames(false, (type, content) => {
      if (!isAwaited || type !== COMPLETE || !content.toString("latin1").startsWith("COMMIT")) return;
      swallowed += 1;
      client.resetAndDestroy();
      upstream.destroy();
    });
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.on("data", (chunk: Buffer) => {
      asked(chunk);
      upstream.write(chunk);
    });
    upstream.on("data", (chunk: Buffer) => {
      answered(chunk);
      if (!client.destroyed) client.write(chunk);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the proxy has no port");
  return {
    port: address.port,
    swallowed: () => swallowed,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** Messages of PostgreSQL's protocol: a letter, a length, a content; the client's first one has no letter. */
function frames(hasStart: boolean, told: (type: number, content: Buffer) => void): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0);
  let isStart = hasStart;
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      const head = isStart ? 0 : 1;
      if (rest.length < head + LENGTH_BYTES) return;
      const end = head + rest.readInt32BE(head);
      if (rest.length < end) return;
      if (!isStart) told(rest[0] ?? 0, rest.subarray(head + LENGTH_BYTES, end));
      isStart = false;
      rest = rest.subarray(end);
    }
  };
}

import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** What the way to the database does: carries, refuses, or takes everything and answers nothing. */
type Mode = "carry" | "refuse" | "swallow";

export interface DatabaseProxy {
  /** The database's address by way of the proxy. */
  readonly url: string;
  set(mode: Mode): void;
  /** Breaks the connection that sends this text next, before what the server answers to it is carried back. */
  breakAfter(text: string): void;
  /** As a process that is paused: the connection that sends this text next gets no answer from then on. */
  pauseAfter(text: string): void;
  close(): Promise<void>;
}

export async function startDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const target = new URL(databaseUrl);
  const open = new Set<Socket>();
  let mode: Mode = "carry";
  let fatal: string | undefined;
  let last: string | undefined;
  const server = createServer((near) => {
    const far = connect(Number(target.port || 5432), target.hostname);
    for (const socket of [near, far]) {
      open.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        open.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    if (mode === "refuse") near.resetAndDestroy();
    let isDeaf = false;
    let isPaused = false;
    near.on("data", (bytes) => {
      if (mode === "swallow") return;
      if (fatal !== undefined && bytes.includes(fatal)) {
        fatal = undefined;
        isDeaf = true;
      }
      if (last !== undefined && bytes.includes(last)) {
        last = undefined;
        isPaused = true;
      }
      far.write(bytes);
    });
    far.on("data", (bytes) => {
      if (mode === "swallow" || isPaused) return;
      if (isDeaf) near.resetAndDestroy();
      else near.write(bytes);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // Guarantee: a server that listens on a port has an AddressInfo.
  const { port } = server.address() as AddressInfo;
  const url = new URL(databaseUrl);
  url.hostname = "127.0.0.1";
  url.port = String(port);
  return {
    url: url.href,
    set(next) {
      mode = next;
      if (next === "refuse") for (const socket of open) socket.resetAndDestroy();
    },
    breakAfter(text) {
      fatal = text;
    },
    pauseAfter(text) {
      last = text;
    },
    async close() {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

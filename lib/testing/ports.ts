import { createServer } from "node:net";

/** Below what systems give to connections that leave: one of those could take the port before it is listened on. */
const FIRST = 20_000;
const LAST = 32_767;
const TRIES = 50;

/** One that nobody listens on, of 127.0.0.1. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < TRIES; tries++) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST + 1));
    if (await isFree(port)) return port;
  }
  throw new Error(`of ${TRIES} ports nobody lets us listen on one`);
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer().once("error", () => resolve(false));
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
  });

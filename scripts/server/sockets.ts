import type { Server } from "node:http";
import type { Socket } from "node:net";
import type { Env } from "@/lib/env";
import { log } from "@/lib/log";
import { monotonicMs } from "@/lib/time";

const SOCKETS_PER_ADDRESS = 50;
const TOLD_EVERY_MS = 60_000;

/**
 * Nobody holds all places of the server: at most 50 connections at a time from one address, times RATE_LIMITS. Behind a
 * trusted proxy every connection is the proxy's own, so there the proxy has to count.
 */
export function limitSockets(
  server: Server,
  { TRUST_PROXY, RATE_LIMITS }: Pick<Env, "TRUST_PROXY" | "RATE_LIMITS">,
): void {
  if (TRUST_PROXY > 0 || !Number.isFinite(RATE_LIMITS)) return;
  const most = Math.max(1, Math.round(SOCKETS_PER_ADDRESS * RATE_LIMITS));
  const open = new Map<string, number>();
  let toldAt = Number.NEGATIVE_INFINITY;
  server.on("connection", (socket: Socket) => {
    const address = networkOf(socket.remoteAddress ?? "");
    const count = (open.get(address) ?? 0) + 1;
    if (count > most) {
      socket.destroy();
      if (monotonicMs() - toldAt < TOLD_EVERY_MS) return;
      toldAt = monotonicMs();
      log.warn({ kind: "sockets", count: most }, "connections above the limit of one address were closed");
      return;
    }
    open.set(address, count);
    socket.once("close", () => {
      const left = (open.get(address) ?? 1) - 1;
      if (left > 0) open.set(address, left);
      else open.delete(address);
    });
  });
}

const NETWORK_GROUPS = 4;

/** In version 6 one caller has a whole /64. */
function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/, "");
  if (!plain.includes(":")) return plain;
  const [head = "", tail] = plain.split("::");
  const before = head.split(":").filter(Boolean);
  const after = (tail ?? "").split(":").filter(Boolean);
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length;
  return [...before, ...Array<string>(Math.max(0, zeros)).fill("0"), ...after].slice(0, NETWORK_GROUPS).join(":");
}

import { createHash } from "node:crypto";
import { isIPv6 } from "node:net";

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
const GROUPS = 8;
const NETWORK_GROUPS = 4;

/** What one buyer is counted by: an IPv4 address, or the /64 that an IPv6 connection has to itself. */
export function networkOf(ip: string): string {
  const plain = ip.replace(/%.*$/, "").toLowerCase();
  const mapped = MAPPED.exec(plain)?.[1];
  if (mapped) return mapped;
  if (!isIPv6(plain)) return plain;
  const [head = "", tail] = plain.split("::");
  const before = head === "" ? [] : head.split(":");
  const after = tail === undefined || tail === "" ? [] : tail.split(":");
  const middle = tail === undefined ? [] : Array.from({ length: GROUPS - before.length - after.length }, () => "0");
  const groups = [...before, ...middle, ...after].map((group) => Number.parseInt(group, 16).toString(16));
  return `${groups.slice(0, NETWORK_GROUPS).join(":")}::/64`;
}

/** A visit is known by its digest alone: what the cookie holds is not kept. */
export const visitDigest = (visit: string): string => createHash("sha256").update(`visit:${visit}`).digest("base64url");

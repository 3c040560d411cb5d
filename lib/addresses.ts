import { BlockList, isIP, isIPv6 } from "node:net";

export const MOST_ADDRESSES = 50;
const BITS = { 4: 32, 6: 128 } as const;

/** As sockets name IPv4 callers of an IPv6 server. */
const MAPPED = /^::ffff:(?=\d+\.)/i;
const GROUPS = 8;
const NETWORK_GROUPS = 4;
const NETWORK = /^([^/%]+)\/(\d{1,3})$/;

/** An address or a network as it is kept, or undefined for what is neither. */
export function addressIn(text: string): string | undefined {
  const given = text.trim().toLowerCase().replace(MAPPED, "");
  if (given.includes("%")) return undefined;
  if (isIP(given) !== 0) return given;
  const [, address = "", prefix = ""] = NETWORK.exec(given) ?? [];
  const family = isIP(address);
  // A network of every address would be a list that keeps nobody out.
  return (family === 4 || family === 6) && Number(prefix) >= 1 && Number(prefix) <= BITS[family] ? given : undefined;
}

/** What is between commas, spaces or line ends, each once: what is understood, and what is not. */
export function addressesIn(text: string): { addresses: string[]; unknown: string[] } {
  const given = [...new Set(text.split(/[\s,;]+/).filter(Boolean))];
  const addresses = new Set<string>();
  const unknown: string[] = [];
  for (const each of given) {
    const address = addressIn(each);
    if (address === undefined) unknown.push(each);
    else addresses.add(address);
  }
  return { addresses: [...addresses], unknown };
}

/** An empty list is no limit; an address nobody knows is on no list. */
export function isAllowedFrom(allowed: readonly string[], address: string | null | undefined): boolean {
  if (allowed.length === 0) return true;
  const from = address?.replace(MAPPED, "") ?? "";
  const family = isIP(from);
  if (family === 0) return false;
  const list = new BlockList();
  for (const each of allowed) {
    const [network = "", prefix] = each.split("/");
    const type = isIP(network) === 6 ? "ipv6" : "ipv4";
    if (prefix === undefined) list.addAddress(network, type);
    else list.addSubnet(network, Number(prefix), type);
  }
  return list.check(from, family === 6 ? "ipv6" : "ipv4");
}

/** What one buyer is counted by: an IPv4 address, or the /64 that an IPv6 connection has to itself. */
export function networkOf(ip: string): string {
  const plain = ip.replace(/%.*$/, "").toLowerCase().replace(MAPPED, "");
  if (!isIPv6(plain)) return plain;
  const [head = "", tail] = plain.split("::");
  const before = head === "" ? [] : head.split(":");
  const after = tail === undefined || tail === "" ? [] : tail.split(":");
  const middle = tail === undefined ? [] : Array.from({ length: GROUPS - before.length - after.length }, () => "0");
  const groups = [...before, ...middle, ...after].map((group) => Number.parseInt(group, 16).toString(16));
  return `${groups.slice(0, NETWORK_GROUPS).join(":")}::/64`;
}

import { BlockList, isIP } from "node:net";

/** Networks that are not the public internet, or that stand for another address (spec/reliability.md 3.6). */
const NOT_PUBLIC_V4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  // A cloud's host agent, on an address that looks public.
  "168.63.129.16/32",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
];
/** Only global unicast is public in version 6; these parts of it are not. */
const GLOBAL_UNICAST = "2000::/3";
const NOT_PUBLIC_V6 = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"];

const listOf = (family: "ipv4" | "ipv6", networks: readonly string[]): BlockList => {
  const list = new BlockList();
  for (const network of networks) {
    const [address = "", prefix] = network.split("/");
    list.addSubnet(address, Number(prefix), family);
  }
  return list;
};

const closedV4 = listOf("ipv4", NOT_PUBLIC_V4);
const closedV6 = listOf("ipv6", NOT_PUBLIC_V6);
const unicastV6 = listOf("ipv6", [GLOBAL_UNICAST]);
const loopbackV4 = listOf("ipv4", ["127.0.0.0/8"]);

/** What an installation for development may be told to reach: never a link's own addresses, where clouds keep secrets. */
const privateV4 = listOf("ipv4", ["10.0.0.0/8", "127.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"]);
const privateV6 = listOf("ipv6", ["fc00::/7", "::1/128"]);

export function isPrivateAddress(address: string): boolean {
  const family = isIP(address);
  // The address of a cloud's metadata in version 6 lies among the private ones.
  if (address.toLowerCase().startsWith("fd00:ec2:")) return false;
  return family === 4 ? privateV4.check(address, "ipv4") : family === 6 && privateV6.check(address, "ipv6");
}

export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !closedV4.check(address, "ipv4");
  return family === 6 && unicastV6.check(address, "ipv6") && !closedV6.check(address, "ipv6");
}

export function isLoopback(address: string): boolean {
  const family = isIP(address);
  return family === 4 ? loopbackV4.check(address, "ipv4") : family === 6 && address === "::1";
}

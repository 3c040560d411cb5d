import { z } from "zod";

const ROLES = ["api", "token", "query"] as const;
/** What a host of a provider is for: the payments, the tokens that open them, the questions about them. */
export type HostRole = (typeof ROLES)[number];
const isRole = (name: string): name is HostRole => ROLES.some((role) => role === name);

export type TestHosts = Readonly<Record<string, Readonly<Partial<Record<HostRole, string>>>>>;

const THIS_MACHINE: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Stand-ins for the test hosts of providers: kind to address, or to one address per role. Never beyond this machine. */
export const testHosts = z.string().transform((text, checked): TestHosts => {
  const refuse = (message: string): TestHosts => {
    checked.addIssue({ code: "custom", message });
    return {};
  };
  const given = jsonOf(text);
  if (!isPlain(given)) return refuse('must be JSON such as {"STRIPE": "http://127.0.0.1:4000"}');
  const hosts: Record<string, Partial<Record<HostRole, string>>> = {};
  for (const [kind, value] of Object.entries(given)) {
    const known: Partial<Record<HostRole, string>> = {};
    for (const [role, base] of Object.entries(isPlain(value) ? value : { api: value })) {
      if (!isRole(role)) return refuse(`may name api, token and query of ${kind}`);
      const url = typeof base === "string" && URL.canParse(base) ? new URL(base) : undefined;
      if (!url || !["http:", "https:"].includes(url.protocol) || !THIS_MACHINE.has(url.hostname)) {
        return refuse(`must name addresses of this machine, also for ${kind}`);
      }
      known[role] = url.origin;
    }
    hosts[kind] = known;
  }
  return hosts;
});

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

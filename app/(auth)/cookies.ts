import { env } from "@/lib/env";

/** Browsers take a name with the host's own prefix over TLS alone, and for this host alone. */
export function ownCookie(name: string) {
  const isSecure = env().BASE_URL.startsWith("https://");
  return {
    name: isSecure ? `__Host-trilho.${name}` : `trilho.${name}`,
    options: { httpOnly: true, sameSite: "lax", path: "/", secure: isSecure } as const,
  };
}

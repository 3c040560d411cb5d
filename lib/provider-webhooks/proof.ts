import { env } from "@/lib/env";
import type { PaymentProvider } from "@/lib/providers/provider";

/** `unproved`: nobody vouches for it, so it is a reason to ask and nothing else. */
export type Proof = "proved" | "unproved" | "forged";

/**
 * Who sent a notification that the adapter could read. Signatures and shared secrets are the adapter's to check, with the
 * reading; the certificate of a connection is known to the proxy that ends it, which passes its name in a header.
 */
export function notificationProof({ capabilities, notifiesAs = [] }: PaymentProvider, headers: Headers): Proof {
  switch (capabilities.webhook.auth) {
    case "hmac":
    case "shared_secret":
      return "proved";
    case "none":
      return "unproved";
    case "mtls": {
      const { MTLS_CLIENT_HEADER: name } = env();
      if (name === undefined) return "unproved";
      const subject = headers.get(name) ?? "";
      return notifiesAs.some((known) => known === subject || namesIn(subject).includes(known)) ? "proved" : "forged";
    }
  }
}

/** The common names of a subject, as proxies write it: `CN=a,O=b` or `/O=b/CN=a`. */
const namesIn = (subject: string): string[] =>
  [...subject.matchAll(/(?:^|[,/])\s*CN\s*=\s*([^,/]+)/gi)].flatMap(([, name]) => name?.trim() ?? []);

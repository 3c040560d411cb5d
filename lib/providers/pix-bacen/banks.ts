import { X509Certificate } from "node:crypto";
import type { ProviderHost, Secret } from "@/lib/providers/provider";

/**
 * BS2 is not among them: its own API (devs.bs2.com, "Cobrança", "QR Code", "Devolução", "Webhook") has the Central Bank's
 * words at other addresses. A code is made by `POST /qrcodes/dinamico`, not by `PUT /cob/{txid}`, members are `txId` and
 * amounts are numbers, a charge that is read shows no code, notifications have a form of their own and no certificate, and
 * what a second request of the same txId is answered is not said. Its OpenAPI file is given to clients.
 */
export const BANKS = ["BB", "ITAU"] as const;
export type Bank = (typeof BANKS)[number];
type Members = Readonly<Record<string, string>>;

export interface ClientCertificate {
  cert: string;
  key: string;
  passphrase?: string;
}

/** What differs between the banks that speak the Central Bank's API. */
export interface BankProfile {
  paths: Readonly<Record<"api" | "token", Readonly<Record<ProviderHost, string>>>>;
  /** Of the request for a token: Basic, or members of its form. */
  basic(members: Members): string | undefined;
  tokenForm(members: Members): Record<string, string>;
  headers(members: Members): Record<string, string>;
  query(members: Members, host: ProviderHost): Record<string, string>;
  certificate(members: Members): ClientCertificate | undefined;
}

const PROFILES: Record<Bank, BankProfile> = {
  BB: {
    paths: {
      api: { live: "/pix/v2", test: "/pix/v2" },
      token: { live: "/oauth/token", test: "/oauth/token" },
    },
    basic: ({ authBasic }) => authBasic?.replace(/^Basic /i, ""),
    tokenForm: () => ({}),
    headers: () => ({}),
    query: ({ devAppKey = "" }, host) => ({ [host === "live" ? "gw-app-key" : "gw-dev-app-key"]: devAppKey }),
    certificate({ mtlsPemBase64, mtlsPassPhrase }) {
      if (!mtlsPemBase64) return undefined;
      const pem = pemOf(mtlsPemBase64);
      return { cert: pem, key: pem, ...(mtlsPassPhrase ? { passphrase: mtlsPassPhrase } : {}) };
    },
  },
  ITAU: {
    paths: {
      api: { live: "/pix_recebimentos/v2", test: "/sandboxapi/pix_recebimentos_ext_v2/v2" },
      token: { live: "/api/oauth/token", test: "/api/jwt" },
    },
    basic: () => undefined,
    tokenForm: ({ pixClientId = "", pixSecretKey = "" }) => ({ client_id: pixClientId, client_secret: pixSecretKey }),
    headers: ({ pixClientId = "" }) => ({ "x-itau-apikey": pixClientId }),
    query: () => ({}),
    certificate({ pixMtlsCert, pixMtlsCertKey }) {
      return pixMtlsCert && pixMtlsCertKey ? { cert: pemOf(pixMtlsCert), key: pemOf(pixMtlsCertKey) } : undefined;
    },
  },
};

export const profileOf = (bank: Bank): BankProfile => PROFILES[bank];

const BEGINS = "-----BEGIN";

/** As it stands in a file, or that in base64. */
const pemOf = (text: string): string => (text.includes(BEGINS) ? text : Buffer.from(text, "base64").toString("utf8"));

/** When the connection's certificate ends; undefined without one, and for one that cannot be read. */
export function certificateEnd(bank: Bank, credentials: Secret): Date | undefined {
  const certificate = profileOf(bank).certificate(credentials.reveal());
  if (!certificate) return undefined;
  try {
    return new Date(new X509Certificate(certificate.cert).validTo);
  } catch {
    return undefined;
  }
}

/** Why the connection's certificate cannot be used: found before any call. */
export function certificateProblem(bank: Bank, credentials: Secret, now: Date): string | undefined {
  if (!profileOf(bank).certificate(credentials.reveal())) return undefined;
  const end = certificateEnd(bank, credentials);
  if (!end) return "the client certificate cannot be read";
  return end < now ? "the client certificate has expired" : undefined;
}

import type {
  AuthenticationResponseJSON,
  AuthenticatorTransportFuture,
  RegistrationResponseJSON,
} from "@simplewebauthn/server";
import { z } from "zod";

export const PASSKEY_ANSWER_MAX_CHARS = 20_000;

const TRANSPORTS = ["ble", "cable", "hybrid", "internal", "nfc", "smart-card", "usb"] as const;
const base64url = z.string().regex(/^[\w-]+$/);
const credential = {
  id: base64url,
  rawId: base64url,
  type: z.literal("public-key"),
  clientExtensionResults: z.object({}),
};

const added = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url,
    attestationObject: base64url,
    transports: z.array(z.string()).optional(),
  }),
});

const signed = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url,
    authenticatorData: base64url,
    signature: base64url,
    userHandle: z.string().optional(),
  }),
});

/** Those that are known: what a browser of tomorrow says besides is no reason to refuse it. */
export const readTransports = (names: readonly string[]): AuthenticatorTransportFuture[] =>
  TRANSPORTS.filter((transport) => names.includes(transport));

export function readAdded(text: string): RegistrationResponseJSON | undefined {
  const read = added.safeParse(jsonOf(text));
  if (!read.success) return undefined;
  const { transports, ...response } = read.data.response;
  return { ...read.data, response: { ...response, transports: readTransports(transports ?? []) } };
}

export function readSigned(text: string): AuthenticationResponseJSON | undefined {
  const read = signed.safeParse(jsonOf(text));
  if (!read.success) return undefined;
  const { userHandle, ...response } = read.data.response;
  return { ...read.data, response: { ...response, ...(userHandle ? { userHandle } : {}) } };
}

function jsonOf(text: string): unknown {
  if (text.length > PASSKEY_ANSWER_MAX_CHARS) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

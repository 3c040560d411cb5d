import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign, X509Certificate } from "node:crypto";
import { addSeconds, DAY_SECONDS, realNow } from "@/lib/time";

/** A certificate and its key, as PEM. */
export interface Issued {
  cert: string;
  key: string;
}

export interface Authority extends Issued {
  issue(name: string, how?: { validDays?: number }): Issued;
}

/** DER, as little of it as a certificate needs. */
const der = (tag: number, ...parts: Buffer[]): Buffer => {
  const content = Buffer.concat(parts);
  const size = content.length;
  const length = size < 0x80 ? [size] : size < 0x100 ? [0x81, size] : [0x82, size >> 8, size & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
};
const sequence = (...parts: Buffer[]) => der(0x30, ...parts);
const oid = (...bytes: number[]) => der(0x06, Buffer.from(bytes));
const ECDSA_SHA256 = sequence(oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02));
const COMMON_NAME = oid(0x55, 0x04, 0x03);
const ALTERNATIVE_NAME = oid(0x55, 0x1d, 0x11);
const BASIC_CONSTRAINTS = oid(0x55, 0x1d, 0x13);
const LOOPBACK = der(0x87, Buffer.from([127, 0, 0, 1]));

const nameOf = (name: string) => sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from(name)))));
const timeOf = (at: Date) => der(0x18, Buffer.from(`${at.toISOString().replace(/[-:T]/g, "").slice(0, 14)}Z`));
const pem = (label: string, bytes: Buffer) =>
  `-----BEGIN ${label}-----\n${bytes.toString("base64").replace(/.{64}/g, "$&\n").trim()}\n-----END ${label}-----\n`;

function certificate(
  subject: string,
  publicKey: KeyObject,
  by: { name: string; key: KeyObject },
  { isAuthority, validDays }: { isAuthority: boolean; validDays: number },
): string {
  const extension = isAuthority
    ? sequence(BASIC_CONSTRAINTS, der(0x01, Buffer.from([0xff])), der(0x04, sequence(der(0x01, Buffer.from([0xff])))))
    : sequence(ALTERNATIVE_NAME, der(0x04, sequence(LOOPBACK)));
  const serial = Buffer.concat([Buffer.from([0x01]), randomBytes(8)]);
  const begins = addSeconds(realNow(), -2 * DAY_SECONDS);
  const content = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, serial),
    ECDSA_SHA256,
    nameOf(by.name),
    sequence(timeOf(begins), timeOf(addSeconds(realNow(), validDays * DAY_SECONDS))),
    nameOf(subject),
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(extension)),
  );
  const signature = sign("sha256", content, by.key);
  return pem("CERTIFICATE", sequence(content, ECDSA_SHA256, der(0x03, Buffer.from([0]), signature)));
}

const keys = () => generateKeyPairSync("ec", { namedCurve: "P-256" });
const keyPem = (key: KeyObject): string => String(key.export({ type: "pkcs8", format: "pem" }));

/** An authority of this run alone, for connections that both sides prove. */
export function openAuthority(
  name = `Test authority ${createHash("sha256").update(randomBytes(8)).digest("hex").slice(0, 8)}`,
): Authority {
  const own = keys();
  const cert = certificate(name, own.publicKey, { name, key: own.privateKey }, { isAuthority: true, validDays: 30 });
  return {
    cert,
    key: keyPem(own.privateKey),
    issue(subject, { validDays = 30 } = {}) {
      const issued = keys();
      const by = { name, key: own.privateKey };
      const made = certificate(subject, issued.publicKey, by, { isAuthority: false, validDays });
      return { cert: made, key: keyPem(issued.privateKey) };
    },
  };
}

export const validTo = (cert: string): Date => new Date(new X509Certificate(cert).validTo);

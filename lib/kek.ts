import { createHmac, hkdfSync } from "node:crypto";
import { statSync } from "node:fs";
import { env, isGivenFromOutside, readSecrets, type SecretList, secretsFile } from "@/lib/env";
import { monotonicMs } from "@/lib/time";

/**
 * The key-encryption keys: TRILHO_KEK is a list whose first key writes and whose keys all read. What is sealed names its
 * key by id, so that a key can be replaced while everybody works.
 */
export interface Kek {
  /** What the database keeps of it, to know it again: 32 bytes. */
  check: Buffer;
  /** The first bytes of the check value: they stand in front of everything the key has sealed. */
  id: Buffer;
  secret: Buffer;
}

export const KEY_ID_BYTES = 8;
const KEY_BYTES = 32;
const CHECKED = "trilho key check";
/** A rotation puts its new key into the secrets file; every process finds it there within this time. */
export const KEYS_REREAD_MS = 5_000;

/** An HMAC of a constant: says whether a secret is the same, and nothing else about it. */
export const checkValueOf = (secret: Buffer): Buffer => createHmac("sha256", secret).update(CHECKED).digest();

export function kekOf(base64: string): Kek {
  const secret = Buffer.from(base64, "base64");
  const check = checkValueOf(secret);
  return { check, id: check.subarray(0, KEY_ID_BYTES), secret };
}

interface Loaded {
  texts: string;
  keks: [Kek, ...Kek[]];
}

let loaded: Loaded | undefined;
let looked = { atMs: 0, modifiedMs: 0 };

/** Of the first key and of all, as this process knows them now. */
export function keks(): readonly [Kek, ...Kek[]] {
  loaded ??= load(env().TRILHO_KEK);
  if (monotonicMs() - looked.atMs > KEYS_REREAD_MS) reread();
  return loaded.keks;
}

export const writingKek = (): Kek => keks()[0];

/** Undefined when neither this process nor the secrets file knows it. */
export function kekWithId(id: Buffer): Kek | undefined {
  const known = () => keks().find((each) => each.id.equals(id));
  const found = known();
  if (found) return found;
  reread();
  return known();
}

function load(list: SecretList): Loaded {
  const [first, ...others] = list;
  return { texts: list.join(","), keks: [kekOf(first), ...others.map(kekOf)] };
}

/** Keys given from outside stay as they are for the life of the process. */
function reread(): void {
  const atMs = monotonicMs();
  if (isGivenFromOutside("TRILHO_KEK")) {
    looked = { atMs, modifiedMs: 0 };
    return;
  }
  const dataDir = env().TRILHO_DATA_DIR;
  try {
    const modifiedMs = statSync(secretsFile(dataDir)).mtimeMs;
    if (modifiedMs === looked.modifiedMs) {
      looked.atMs = atMs;
      return;
    }
    looked = { atMs, modifiedMs };
    const saved = readSecrets(dataDir).TRILHO_KEK;
    if (saved === undefined || saved === loaded?.texts) return;
    const [first = "", ...others] = saved.split(",");
    // A key that was taken out too early still reads here until the process ends: nothing fails before the start is refused.
    const earlier = loaded?.keks ?? [];
    loaded = load([first, ...others]);
    loaded.keks.push(...earlier.filter(({ id }) => !loaded?.keks.some((each) => each.id.equals(id))));
  } catch {
    // Whatever became of the file, the keys in memory still open what they have sealed.
    looked.atMs = atMs;
  }
}

const derived = new Map<string, Buffer>();

/** The key of one purpose. */
export function keyFor({ secret, id }: Kek, purpose: string): Buffer {
  const name = `${id.toString("hex")}:${purpose}`;
  const kept = derived.get(name);
  if (kept) return kept;
  const key = Buffer.from(hkdfSync("sha256", secret, "trilho", purpose, KEY_BYTES));
  derived.set(name, key);
  return key;
}

import { hash, verify } from "@node-rs/argon2";

/** argon2id (the library's default variant) at 19 MiB and two passes: about 30 ms. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
export const PASSWORD_MIN_CHARS = 12;
/** Bounds the work an anonymous visitor can ask for. */
export const PASSWORD_MAX_CHARS = 256;
const MIN_DISTINCT_CHARS = 5;

/** Stems of the long passwords found most often in published leaks; digits and case around them add nothing. */
const LEAKED_STEMS = [
  "password",
  "passw0rd",
  "qwertyuiop",
  "qwerty",
  "asdfghjkl",
  "zxcvbnm",
  "1q2w3e4r",
  "1qaz2wsx",
  "q1w2e3r4",
  "iloveyou",
  "letmein",
  "welcome",
  "administrator",
  "admin",
  "changeme",
  "football",
  "baseball",
  "princess",
  "sunshine",
  "superman",
  "trustno1",
  "abcdefghijkl",
  "123456789012",
  "0123456789",
  "987654321",
  "mudar",
  "senha",
  "brasil",
  "flamengo",
  "corinthians",
  "palmeiras",
  "trilho",
];
/** What may stand around a leaked stem before the whole counts as new. */
const NEW_CHARS_AROUND_STEM = 8;

export type PasswordProblem = "too_short" | "too_long" | "too_simple" | "leaked" | "personal";

/** Two ways to type the same letter are the same password. */
const normal = (password: string): string => password.normalize("NFKC");

export function passwordProblem(password: string, about: { email: string; name: string }): PasswordProblem | undefined {
  const text = normal(password);
  const length = [...text].length;
  if (length < PASSWORD_MIN_CHARS) return "too_short";
  if (length > PASSWORD_MAX_CHARS) return "too_long";
  const lower = text.toLowerCase();
  if (new Set(lower).size < MIN_DISTINCT_CHARS) return "too_simple";
  const addsTooLittle = (stem: string) => lower.includes(stem) && length - stem.length < NEW_CHARS_AROUND_STEM;
  if (LEAKED_STEMS.some(addsTooLittle)) return "leaked";
  const own = [...about.email.toLowerCase().split(/[@.]/), ...about.name.toLowerCase().split(/\s+/)];
  if (own.some((word) => word.length >= 4 && addsTooLittle(word))) return "personal";
  return undefined;
}

export const hashPassword = (password: string): Promise<string> => hash(normal(password), COST);

let dummy: Promise<string> | undefined;

/** Without a hash (unknown person) the same work is done against a dummy one, so that time tells nothing. */
export async function verifyPassword(passwordHash: string | undefined, password: string): Promise<boolean> {
  dummy ??= hashPassword("nobody has this password");
  const isMatch = await verify(passwordHash ?? (await dummy), normal(password.slice(0, PASSWORD_MAX_CHARS)));
  return passwordHash !== undefined && password.length <= PASSWORD_MAX_CHARS && isMatch;
}

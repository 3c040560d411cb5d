import { createHash, createHmac, randomInt, timingSafeEqual } from "node:crypto";
import { systemSql } from "@/db/client";
import { CHALLENGE_SECONDS } from "@/lib/captcha/challenge";
import { env } from "@/lib/env";
import type { Locale } from "@/lib/i18n/locales";
import { newId } from "@/lib/ids";
import { serverSecret } from "@/lib/secrets";
import { addSeconds, realNow } from "@/lib/time";

/** Right or wrong. */
export const ANSWERS_PER_HOUR = 5;
const LARGEST = 9;
const PREFIX = "question:";
const LONGEST_ANSWER = 40;

const WORDS: Readonly<Record<Locale, readonly string[]>> = {
  "pt-BR": (
    "zero um dois três quatro cinco seis sete oito nove dez onze doze treze catorze quinze dezesseis dezessete " +
    "dezoito"
  ).split(" "),
  en: (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen " +
    "seventeen eighteen"
  ).split(" "),
};

const SENTENCES: Readonly<Record<Locale, (first: string, second: string) => string>> = {
  "pt-BR": (first, second) => `Quanto é ${first} mais ${second}?`,
  en: (first, second) => `What is ${first} plus ${second}?`,
};

const ALSO: Readonly<Record<string, number>> = { quatorze: 14 };

export interface Question {
  text: string;
  /** For a hidden field; it does not give the answer away. */
  signed: string;
}

/** For pages without JavaScript: one question in words, for Pix and boleto only. */
export function newQuestion(
  { sessionId, locale }: { sessionId: string; locale: Locale },
  at: Date = realNow(),
): Question {
  const [first, second] = [randomInt(1, LARGEST + 1), randomInt(1, LARGEST + 1)];
  const words = WORDS[locale];
  const open = `${newId()}.${addSeconds(at, CHALLENGE_SECONDS).getTime()}`;
  return {
    text: SENTENCES[locale](words[first] ?? "", words[second] ?? ""),
    signed: `${open}.${sign(open, sessionId, first + second)}`,
  };
}

const sign = (open: string, sessionId: string, answer: number): string =>
  createHmac("sha256", serverSecret("captcha question")).update(`${open}.${sessionId}.${answer}`).digest("base64url");

/** One text for `readCaptcha` from the two fields of the form. */
export const questionToken = (signed: string, answer: string): string =>
  `${PREFIX}${signed}:${answer.slice(0, LONGEST_ANSWER)}`;

export const isQuestionToken = (token: string): boolean => token.startsWith(PREFIX);

/** The key to spend, when the answer is right, in time and of this session. */
export function checkAnswer(token: string, sessionId: string, at: Date = realNow()): string | undefined {
  const [, signed = "", answer = ""] = /^question:([^:]+):(.*)$/s.exec(token) ?? [];
  const [id = "", expires = "", signature = ""] = signed.split(".");
  const number = numberOf(answer);
  if (number === undefined || !(Number(expires) >= at.getTime())) return undefined;
  const expected = Buffer.from(sign(`${id}.${expires}`, sessionId, number));
  const given = Buffer.from(signature);
  if (expected.length !== given.length || !timingSafeEqual(expected, given)) return undefined;
  return `question:${createHash("sha256").update(signed).digest("hex")}`;
}

/** In digits, or in words of either language, with or without accents. */
function numberOf(answer: string): number | undefined {
  const plain = unaccented(answer.trim().toLowerCase());
  if (/^\d{1,2}$/.test(plain)) return Number(plain);
  for (const words of Object.values(WORDS)) {
    const index = words.findIndex((word) => unaccented(word) === plain);
    if (index >= 0) return index;
  }
  return ALSO[plain];
}

const unaccented = (text: string): string => text.normalize("NFD").replace(/\p{M}/gu, "");

/** Counts one more answer of this address; false when it has given too many, whichever account's link it is. */
export async function mayAnswer(
  ip: string,
  { at = realNow(), factor = env().RATE_LIMITS }: { at?: Date; factor?: number } = {},
): Promise<boolean> {
  if (!Number.isFinite(factor)) return true;
  const [row] = await systemSql()<{ given: number }[]>`
    with kept as (insert into captcha_answers (id, ip, at) values (${newId()}, ${ip}, ${at}) returning at)
    select count(*)::int + 1 as given from captcha_answers
     where ip = ${ip} and at > ${addSeconds(at, -3_600)} and at <= ${at}`;
  return (row?.given ?? 0) <= ANSWERS_PER_HOUR * factor;
}

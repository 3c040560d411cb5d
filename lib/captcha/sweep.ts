import { systemSql } from "@/db/client";
import { CHALLENGE_SECONDS } from "@/lib/captcha/challenge";
import { addSeconds, realNow } from "@/lib/time";

/** Clocks of several machines differ; a spent challenge is kept until every one of them calls it too old. */
const MARGIN_SECONDS = 600;
const ANSWERS_COUNTED_SECONDS = 3_600;

/** Forgets spent challenges that are too old to be used anyway, and answers that no longer count. */
export async function sweepCaptchas(at: Date = realNow()): Promise<void> {
  const sql = systemSql();
  await sql`delete from captcha_spent where spent_at < ${addSeconds(at, -CHALLENGE_SECONDS - MARGIN_SECONDS)}`;
  await sql`delete from captcha_answers where at < ${addSeconds(at, -ANSWERS_COUNTED_SECONDS)}`;
}

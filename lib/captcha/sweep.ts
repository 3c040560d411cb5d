import { systemSql } from "@/db/client";
import { deleteInBatches } from "@/db/delete-in-batches";
import { CHALLENGE_SECONDS } from "@/lib/captcha/challenge";
import { addSeconds, realNow } from "@/lib/time";

/** Clocks of several machines differ; a spent challenge is kept until every one of them calls it too old. */
const MARGIN_SECONDS = 600;
const ANSWERS_COUNTED_SECONDS = 3_600;

/** Forgets spent challenges that are too old to be used anyway, and answers that no longer count. */
export async function sweepCaptchas(at: Date = realNow()): Promise<void> {
  const sql = systemSql();
  const spentBefore = addSeconds(at, -CHALLENGE_SECONDS - MARGIN_SECONDS);
  await deleteInBatches(sql, "captcha_spent", sql`spent_at < ${spentBefore}`);
  await deleteInBatches(sql, "captcha_answers", sql`at < ${addSeconds(at, -ANSWERS_COUNTED_SECONDS)}`);
}

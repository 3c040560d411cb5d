import { captchaSpent } from "@/db/schema/captcha";
import { type CaptchaLevel, checkSolution } from "@/lib/captcha/challenge";
import { type CaptchaSetup, captchaSetup } from "@/lib/captcha/config";
import { checkAnswer, isQuestionToken, mayAnswer } from "@/lib/captcha/question";
import { askService } from "@/lib/captcha/service";
import type { Account, Context } from "@/lib/context";
import { DomainError } from "@/lib/errors";
import type { Transport } from "@/lib/providers/exchange";
import { realNow } from "@/lib/time";

/** Passes on sandbox accounts. */
export const SANDBOX_TOKEN = "sandbox-ok";

/** What a token is worth, before it is used. */
export type CaptchaProof =
  | { readonly kind: "absent" }
  | { readonly kind: "worthless" }
  | { readonly kind: "sandbox" }
  | { readonly kind: "solved"; readonly level: CaptchaLevel; readonly key: string; readonly sessionId: string }
  | { readonly kind: "answered"; readonly key: string; readonly sessionId: string };

export interface PresentedCaptcha {
  /** X-Captcha-Token, the form's field, or `questionToken(…)`. */
  token: string | null | undefined;
  sessionId: string;
  account: Pick<Account, "mode">;
  ip: string | undefined;
}

interface Means {
  setup?: CaptchaSetup;
  transport?: Transport;
}

/**
 * What a token is worth. To be called outside any transaction, since a service may have to be asked; it never throws,
 * because a request that is a repeat needs no captcha: `takeCaptcha` says whether one is missed.
 */
export async function readCaptcha(presented: PresentedCaptcha, means: Means = {}): Promise<CaptchaProof> {
  const { token, sessionId, account, ip } = presented;
  if (!token) return { kind: "absent" };
  if (token === SANDBOX_TOKEN) return account.mode === "sandbox" ? { kind: "sandbox" } : { kind: "worthless" };
  if (isQuestionToken(token)) {
    const isAllowed = await mayAnswer(ip ?? "unknown");
    const key = isAllowed ? checkAnswer(token, sessionId) : undefined;
    return key ? { kind: "answered", key, sessionId } : { kind: "worthless" };
  }
  const setup = means.setup ?? captchaSetup();
  if (setup.provider === "pow") {
    const solved = checkSolution(token, sessionId);
    return solved ? { kind: "solved", ...solved, sessionId } : { kind: "worthless" };
  }
  const key = await askService(setup, { token, sessionId, ip }, means.transport);
  return key ? { kind: "solved", level: "hard", key, sessionId } : { kind: "worthless" };
}

export interface AskedCaptcha {
  sessionId: string;
  level: CaptchaLevel | "none";
  /** Pix and boleto of a page without JavaScript. */
  acceptsQuestion?: boolean;
}

const RANK: Readonly<Record<CaptchaLevel, number>> = { normal: 0, hard: 1 };

/** Uses the proof up, in the transaction that accepts the payment: what is refused afterwards has used nothing. */
export async function takeCaptcha(
  ctx: Context,
  proof: CaptchaProof,
  { sessionId, level, acceptsQuestion = false }: AskedCaptcha,
): Promise<void> {
  if (level === "none" || proof.kind === "sandbox") return;
  if (proof.kind === "absent") throw new DomainError("captcha_required", "the captcha of this link must be solved");
  const isEnough =
    proof.kind !== "worthless" &&
    proof.sessionId === sessionId &&
    (proof.kind === "answered" ? acceptsQuestion : RANK[proof.level] >= RANK[level]);
  if (!isEnough || !(await spend(ctx, proof.key))) {
    throw new DomainError("captcha_invalid", "the captcha was not solved, is too old or was used before");
  }
}

async function spend(ctx: Context, key: string): Promise<boolean> {
  const spent = await ctx.db
    .insert(captchaSpent)
    .values({ key, clientId: ctx.account.id, spentAt: realNow() })
    .onConflictDoNothing()
    .returning({ key: captchaSpent.key });
  return spent.length > 0;
}

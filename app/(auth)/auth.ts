import NextAuth, { CredentialsSignin, type NextAuthResult } from "next-auth";
import Credentials from "next-auth/providers/credentials";
import { z } from "zod";
import { ownCookie } from "@/app/(auth)/cookies";
import { deviceHere, keepDevice } from "@/app/(auth)/device-cookie";
import { addressOf } from "@/app/request-origin";
import { systemDb } from "@/db/client";
import type { Challenge } from "@/lib/captcha/challenge";
import { env } from "@/lib/env";
import { log } from "@/lib/log";
import { findOperatorSession, revokeSession, SESSION_ABSOLUTE_SECONDS } from "@/lib/operators/sessions";
import { PASSKEY_ANSWER_MAX_CHARS } from "@/lib/sign-in/passkey-answers";
import { PASSWORD_MAX_CHARS } from "@/lib/sign-in/password";
import { signIn as checkPassword, signInSecondStep } from "@/lib/sign-in/service";
import { openTicket, TICKET_MAX_CHARS } from "@/lib/sign-in/session-ticket";
import { realNow } from "@/lib/time";

declare module "next-auth" {
  interface User {
    /** The row that decides whether the cookie still counts. */
    sessionId?: string;
  }
  interface Session {
    sessionId?: string;
  }
}

/** The reason travels as a code that the sign-in page puts into words. */
export class SignInRefused extends CredentialsSignin {
  constructor(
    override code: "wrong" | "locked" | "puzzle" | "second_factor" | "over",
    /** What the next step is asked with. */
    readonly asked: { challenge?: string; puzzle?: Challenge } = {},
  ) {
    super();
  }
}

const EMAIL_MAX_CHARS = 254;
const LONGEST_CODE = 40;
const LONGEST_CHALLENGE = 100;
const LONGEST_PROOF = 1_000;
const firstStep = z.object({
  email: z.string().min(1).max(EMAIL_MAX_CHARS),
  password: z.string().min(1).max(PASSWORD_MAX_CHARS),
  proof: z.string().max(LONGEST_PROOF).optional(),
});
const secondStep = z.object({
  challenge: z.string().min(1).max(LONGEST_CHALLENGE),
  code: z.string().max(LONGEST_CODE).optional(),
  passkey: z.string().max(PASSKEY_ANSWER_MAX_CHARS).optional(),
});

const ticketStep = z.object({ ticket: z.string().min(1).max(TICKET_MAX_CHARS) });

/** A function, so that building needs no configuration. */
const result: NextAuthResult = NextAuth(() => {
  return {
    secret: env().AUTH_SECRET,
    trustHost: true,
    basePath: "/api/auth",
    pages: { signIn: "/sign-in", error: "/sign-in" },
    session: { strategy: "jwt", maxAge: SESSION_ABSOLUTE_SECONDS },
    cookies: { sessionToken: ownCookie("session"), csrfToken: ownCookie("csrf"), callbackUrl: ownCookie("return") },
    providers: [
      Credentials({
        credentials: { email: {}, password: {}, proof: {}, challenge: {}, code: {}, passkey: {}, ticket: {} },
        async authorize(given, request) {
          const from = {
            address: addressOf(request.headers),
            userAgent: request.headers.get("user-agent"),
            device: await deviceHere(),
          };
          const ticket = ticketStep.safeParse(given);
          if (ticket.success) {
            const opened = openTicket(ticket.data.ticket, realNow());
            if (!opened) throw new SignInRefused("wrong");
            return { id: opened.operatorId, sessionId: opened.sessionId };
          }
          const second = secondStep.safeParse(given);
          const first = firstStep.safeParse(given);
          const outcome = second.success
            ? await signInSecondStep(systemDb(), { ...second.data, ...from }, realNow())
            : first.success
              ? await checkPassword(systemDb(), { ...first.data, ...from }, realNow())
              : ({ kind: "wrong" } as const);
          if (outcome.kind === "second_factor")
            throw new SignInRefused("second_factor", { challenge: outcome.challenge });
          if (outcome.kind === "puzzle") throw new SignInRefused("puzzle", { puzzle: outcome.puzzle });
          if (outcome.kind !== "signed_in") throw new SignInRefused(outcome.kind);
          await keepDevice(outcome.device);
          return { id: outcome.operator.id, sessionId: outcome.sessionId };
        },
      }),
    ],
    callbacks: {
      async jwt({ token, user }) {
        if (user?.sessionId) return { sessionId: user.sessionId };
        // The cookie alone is never believed: a revoked, idle or ended session answers as no session.
        const isLive =
          typeof token.sessionId === "string" &&
          (await findOperatorSession(systemDb(), token.sessionId, realNow())) !== undefined;
        return isLive ? token : null;
      },
      session({ session, token }) {
        return {
          expires: session.expires,
          ...(typeof token.sessionId === "string" ? { sessionId: token.sessionId } : {}),
        };
      },
    },
    events: {
      async signOut(message) {
        const sessionId = "token" in message ? message.token?.sessionId : undefined;
        if (typeof sessionId === "string") await revokeSession(systemDb(), sessionId, realNow());
      },
    },
    logger: {
      error(thrown) {
        // A mistyped password is not an error of ours.
        if (!(thrown instanceof CredentialsSignin)) log.error({ error: thrown }, "sign-in failed");
      },
      warn() {},
      debug() {},
    },
  };
});

export const { auth, handlers, signIn, signOut } = result;

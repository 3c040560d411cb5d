import { desc, inArray } from "drizzle-orm";
import { systemDb } from "@/db/client";
import { operatorSessions } from "@/db/schema/operators";
import type { Context } from "@/lib/context";
import { type Env, env } from "@/lib/env";
import type { Finding } from "@/lib/going-live/check";
import { mailChoicesOf } from "@/lib/notices/choices";
import { NOTICES, type NoticeKind, usualChoice } from "@/lib/notices/kinds";
import { colleaguesWho } from "@/lib/operators/held-role";
import type { OperatorAccount } from "@/lib/operators/sessions";
import { listMembers, type Member } from "@/lib/operators/team";

/** What nobody may learn of by chance: money that waits for a person, or strangers at the door. */
export const MUST_BE_READ: readonly NoticeKind[] = [
  "payment_in_review",
  "chargeback",
  "refund_failed",
  "capture_failed",
  "card_testing",
  "webhook_paused",
];

const OWNERS_NEEDED = 2;

/** Whoever the account's owners let in, with how they sign in. */
export async function teamFindings(ctx: Context): Promise<{ factors: Finding; owners: Finding }> {
  const [members, active] = await Promise.all([
    listMembers(ctx),
    colleaguesWho(systemDb(), ctx.account.id, "payments.see"),
  ]);
  const people = members.filter(({ id }) => active.some(({ operatorId }) => operatorId === id));
  const byCompany = await askedByCompany(people.filter(({ factor }) => factor === null));
  return { factors: factorsIn(people, byCompany), owners: ownersIn(people) };
}

function factorsIn(people: readonly Member[], byCompany: ReadonlySet<string>): Finding {
  const lacking = people.filter(({ id, factor }) => factor === null && !byCompany.has(id));
  const all = people.length;
  if (lacking.length === 0) return { state: "done", detail: "factorsAll", count: all };
  return {
    state: "todo",
    detail: "factorsMissing",
    count: lacking.length,
    all,
    names: lacking.map(({ name }) => name),
  };
}

function ownersIn(people: readonly Member[]): Finding {
  const count = people.filter(({ role }) => role === "owner").length;
  return count >= OWNERS_NEEDED
    ? { state: "done", detail: "ownersEnough", count }
    : { state: "todo", detail: "ownersOne", count };
}

/** Those whose company asked for the second factor when they last signed in: theirs is not kept here. */
async function askedByCompany(people: readonly Member[]): Promise<Set<string>> {
  if (people.length === 0) return new Set();
  const rows = await systemDb()
    .selectDistinctOn([operatorSessions.operatorId], {
      id: operatorSessions.operatorId,
      byCompany: operatorSessions.byCompanyFactor,
    })
    .from(operatorSessions)
    .where(
      inArray(
        operatorSessions.operatorId,
        people.map(({ id }) => id),
      ),
    )
    .orderBy(operatorSessions.operatorId, desc(operatorSessions.createdAt));
  return new Set(rows.filter(({ byCompany }) => byCompany).map(({ id }) => id));
}

/** Accounts are live or not for good: what a sandbox account can tell is whether its reader has a live one. */
export function liveAccountOf(ctx: Context, others: readonly OperatorAccount[]): Finding {
  if (ctx.account.mode === "live") return { state: "done", detail: "liveThis" };
  const live = others.filter(({ mode }) => mode === "live").map(({ name }) => name);
  return live.length > 0 ? { state: "done", detail: "liveYours", names: live } : { state: "todo", detail: "liveNone" };
}

export const mailOf = ({ SMTP_URL }: Pick<Env, "SMTP_URL"> = env()): Finding =>
  SMTP_URL === undefined ? { state: "todo", detail: "mailKept" } : { state: "done", detail: "mailServer" };

/** Each of what must not be missed reaches at least one person by e-mail, whichever merchant it is about. */
export async function noticesFinding({ account }: Context): Promise<Finding> {
  const unread: NoticeKind[] = [];
  for (const kind of MUST_BE_READ) {
    const [people, choices] = await Promise.all([
      colleaguesWho(systemDb(), account.id, NOTICES[kind].right),
      mailChoicesOf(account.id, kind),
    ]);
    const isRead = people.some(
      ({ merchants, operatorId }) => merchants === null && (choices.get(operatorId) ?? usualChoice(kind).byEmail),
    );
    if (!isRead) unread.push(kind);
  }
  return unread.length > 0
    ? { state: "todo", detail: "noticesUnread", kinds: unread }
    : { state: "done", detail: "noticesRead" };
}

"use server";

import { redirect } from "next/navigation";
import { getLocale, getTranslations } from "next-intl/server";
import { runTask, textOf } from "@/app/(dashboard)/task";
import { typedAmounts } from "@/app/(dashboard)/typed-amounts";
import type { TaskState } from "@/components/tasks/task-form";
import { OPERATOR_ROLES } from "@/db/schema/operators";
import type { Context } from "@/lib/context";
import { invalid, notFound } from "@/lib/errors";
import { isUuid } from "@/lib/ids";
import type { RoleChoice } from "@/lib/operators/custom-roles";
import type { RefundLimits } from "@/lib/operators/permissions";
import { changeMember, limitsOfChoice, removeMember } from "@/lib/operators/team";
import { type Invited, invite, resendInvitation, revokeInvitation } from "@/lib/sign-in/invitations";

const PAGE = "/dashboard/settings/team";
const EMAIL_MAX_CHARS = 254;
const LIKELY_EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

function roleIn(form: FormData): RoleChoice {
  const given = textOf(form, "role");
  const role = OPERATOR_ROLES.find((each) => each === given);
  if (!role && !isUuid(given)) throw invalid("role");
  return role ?? { customRoleId: given };
}

/** The merchants ticked, or null for all of them. Nothing ticked is never taken for everything. */
function merchantsIn(form: FormData): string[] | null | "none" {
  if (textOf(form, "reach") !== "chosen") return null;
  const ids = [...new Set(form.getAll("merchants").map(String))];
  if (!ids.every(isUuid)) throw notFound("merchant");
  return ids.length > 0 ? ids : "none";
}

const reachGiven = (form: FormData) => ({
  reach: textOf(form, "reach"),
  merchants: form.getAll("merchants").map(String).join(","),
});

function idIn(form: FormData): string {
  const id = textOf(form, "id");
  if (!isUuid(id)) throw notFound("operator");
  return id;
}

async function told(outcome: Invited, given: Record<string, string>): Promise<TaskState> {
  const t = await getTranslations("team");
  if (outcome.kind === "sent") return redirect(`${PAGE}?done=invited`);
  if (outcome.kind === "too_many") return { problem: t("tooMany"), given };
  return given.email === undefined
    ? { problem: t("alreadyMember") }
    : { problems: { email: t("alreadyMember") }, given };
}

type Invitation = Omit<Parameters<typeof invite>[1], "locale">;

/** Who is invited to what, or all that is wrong with it at once. */
async function invitationIn(
  ctx: Context,
  form: FormData,
): Promise<{ given: Record<string, string>; asked: Invitation } | { unfit: TaskState }> {
  const email = textOf(form, "email");
  const role = roleIn(form);
  const typed = { each: textOf(form, "each"), daily: textOf(form, "daily") };
  const given = { email, role: textOf(form, "role"), ...reachGiven(form), ...typed };
  const t = await getTranslations("team");
  const isEmail = email.length <= EMAIL_MAX_CHARS && LIKELY_EMAIL.test(email);
  const merchants = merchantsIn(form);
  const refunds = await refundsIn(await limitsOfChoice(ctx, role), typed);
  const isUnfit = refunds !== undefined && "unfit" in refunds;
  if (isEmail && merchants !== "none" && !isUnfit) return { given, asked: { email, role, merchants, refunds } };
  const problems = {
    ...(isEmail ? {} : { email: t("emailInvalid") }),
    ...(merchants === "none" ? { merchants: t("merchantsNone") } : {}),
    ...(isUnfit ? refunds.unfit : {}),
  };
  return { unfit: { problems, given } };
}

/** What is wrong with an invitation, which is not sent. */
export async function checkInvitationAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("team.manage", async ({ ctx }): Promise<TaskState> => {
    const read = await invitationIn(ctx, form);
    return "unfit" in read ? read.unfit : {};
  });
}

export async function inviteAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("team.manage", async ({ ctx }): Promise<TaskState> => {
    const read = await invitationIn(ctx, form);
    if ("unfit" in read) return read.unfit;
    return told(await invite(ctx, { ...read.asked, locale: await getLocale() }), read.given);
  });
}

export async function resendInvitationAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("team.manage", async ({ ctx }) =>
    told(await resendInvitation(ctx, idIn(form), await getLocale()), {}),
  );
}

export async function revokeInvitationAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("team.manage", async ({ ctx }) => {
    await revokeInvitation(ctx, idIn(form));
    return redirect(`${PAGE}?done=revoked`);
  });
}

export async function changeMemberAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("team.manage", async ({ ctx }): Promise<TaskState> => {
    const t = await getTranslations("team");
    const role = roleIn(form);
    const given = {
      role: textOf(form, "role"),
      ...reachGiven(form),
      each: textOf(form, "each"),
      daily: textOf(form, "daily"),
    };
    const usual = await limitsOfChoice(ctx, role);
    const [refunds, merchants] = [await refundsIn(usual, given), merchantsIn(form)];
    const isUnfit = refunds !== undefined && "unfit" in refunds;
    if (merchants === "none" || isUnfit) {
      const problems = {
        ...(merchants === "none" ? { merchants: t("merchantsNone") } : {}),
        ...(isUnfit ? refunds.unfit : {}),
      };
      return { problems, given };
    }
    const outcome = await changeMember(ctx, idIn(form), { role, refunds, merchants });
    if (outcome === "last_owner") return { problems: { role: t("lastOwner") }, given };
    return redirect(`${PAGE}?done=changed`);
  });
}

interface UnfitLimits {
  /** Beside each field that is to blame. */
  unfit: Readonly<Record<string, string>>;
}

/** Typed limits count for roles that have one; empty ones are the role's own. */
async function refundsIn(
  usual: RefundLimits | undefined,
  { each, daily }: { each: string; daily: string },
): Promise<RefundLimits | undefined | UnfitLimits> {
  if (!usual || (each === "" && daily === "")) return undefined;
  const { read, problemOf } = await typedAmounts();
  const most = {
    each: each === "" ? usual.each : read(each),
    daily: daily === "" ? usual.daily : read(daily),
  };
  if (most.each === undefined || most.daily === undefined) {
    const unfit = {
      ...(most.each === undefined ? { each: problemOf(each) } : {}),
      ...(most.daily === undefined ? { daily: problemOf(daily) } : {}),
    };
    return { unfit };
  }
  if (most.daily < most.each) return { unfit: { daily: (await getTranslations("team"))("limitSmall") } };
  return { each: most.each, daily: most.daily };
}

export async function removeMemberAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("team.manage", async ({ ctx }) => {
    const outcome = await removeMember(ctx, idIn(form));
    if (outcome === "last_owner") return { problem: (await getTranslations("team"))("lastOwner") };
    return redirect(`${PAGE}?done=removed`);
  });
}

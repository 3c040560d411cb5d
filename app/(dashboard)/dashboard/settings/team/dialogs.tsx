import { getLocale, getTranslations } from "next-intl/server";
import {
  changeMemberAction,
  checkInvitationAction,
  inviteAction,
  removeMemberAction,
  revokeInvitationAction,
} from "@/app/(dashboard)/dashboard/settings/team/actions";
import { roleTexts } from "@/app/(dashboard)/role-texts";
import { taskTexts } from "@/app/(dashboard)/task-texts";
import { ActionDialog } from "@/components/charges/action-dialog";
import { TaskForm } from "@/components/tasks/task-form";
import type { TaskField } from "@/components/tasks/task-input";
import { formatCents } from "@/components/ui/money-format";
import { OPERATOR_ROLES } from "@/db/schema/operators";
import type { ListedRole } from "@/lib/operators/custom-roles";
import { type RoleName, usualLimits } from "@/lib/operators/permissions";
import type { Member } from "@/lib/operators/team";
import type { OpenInvitation } from "@/lib/sign-in/invitations";

const PAGE = "/dashboard/settings/team";
const CENTS = 100;
const SHORT_ID = 8;

/** What each role is for, in one line. */
const ABOUT = {
  owner: "aboutOwner",
  developer: "aboutDeveloper",
  operations: "aboutOperations",
  finance: "aboutFinance",
  support: "aboutSupport",
  viewer: "aboutViewer",
} as const satisfies Record<RoleName, string>;

async function usualTexts(): Promise<{ each: string; daily: string }> {
  const [usual, locale] = [usualLimits("support"), await getLocale()];
  const money = (cents: number) => formatCents(cents, "BRL", locale);
  return { each: money(usual?.each ?? 0), daily: money(usual?.daily ?? 0) };
}

interface TeamDialogProps {
  doing: string | undefined;
  member: Member | undefined;
  invitation: OpenInvitation | undefined;
  ownRoles: readonly ListedRole[];
  merchants: readonly { id: string; name: string | null }[];
}

/** The form that the address asks for. */
export async function TeamDialog({ doing, member, invitation, ownRoles, merchants }: TeamDialogProps) {
  const t = await getTranslations("team");
  const roles = await roleTexts();
  const options = [
    ...OPERATOR_ROLES.map((role) => ({
      value: role,
      label: t("roleOption", { role: roles[role], text: t(ABOUT[role]) }),
    })),
    ...ownRoles.map(({ id, name }) => ({ value: id, label: name })),
  ];
  const reach = (seen: readonly string[] | null): TaskField[] =>
    merchants.length < 2
      ? []
      : [
          {
            name: "reach",
            label: t("merchantsSeen"),
            hint: t("merchantsHint"),
            kind: "choice",
            initial: seen === null ? "all" : "chosen",
            options: [
              { value: "all", label: t("merchantsAll") },
              { value: "chosen", label: t("merchantsChosen") },
            ],
          },
          {
            name: "merchants",
            label: t("merchantsTicked"),
            kind: "choices",
            when: "chosen",
            initial: (seen ?? []).join(","),
            options: merchants.map(({ id, name }) => ({
              value: id,
              label: name ?? t("merchantNameless", { id: id.slice(-SHORT_ID) }),
            })),
          },
        ];
  if (doing === "invite") {
    return (
      <ActionDialog title={t("inviteTitle")} text={t("inviteText")} closeHref={PAGE}>
        <TaskForm
          onAct={inviteAction}
          onCheck={checkInvitationAction}
          closeHref={PAGE}
          texts={await taskTexts(t("inviteButton"))}
          fields={[
            { name: "email", label: t("email"), kind: "email", isRequired: true },
            { name: "role", label: t("role"), hint: t("roleHint"), kind: "choice", initial: "operations", options },
            ...reach(null),
            { name: "each", label: t("refundEach"), hint: t("refundInviteHint", await usualTexts()), when: "limited" },
            { name: "daily", label: t("refundDaily"), when: "limited" },
          ]}
        />
      </ActionDialog>
    );
  }
  if (doing === "change" && member) {
    const written = new Intl.NumberFormat(await getLocale(), { minimumFractionDigits: 2, useGrouping: false });
    const typed = (cents: number | undefined) => (cents === undefined ? "" : written.format(cents / CENTS));
    const limits = member.refunds
      ? [
          { name: "each", label: t("refundEach"), hint: t("refundHint"), initial: typed(member.refunds.each) },
          { name: "daily", label: t("refundDaily"), initial: typed(member.refunds.daily) },
        ]
      : [];
    return (
      <ActionDialog title={t("changeTitle", { name: member.name })} text={t("changeText")} closeHref={PAGE}>
        <TaskForm
          hidden={{ id: member.id }}
          onAct={changeMemberAction}
          closeHref={PAGE}
          texts={await taskTexts(t("changeButton"))}
          fields={[
            {
              name: "role",
              label: t("role"),
              kind: "choice",
              initial: typeof member.role === "string" ? member.role : member.role.id,
              options,
            },
            ...reach(member.merchants),
            ...limits,
          ]}
        />
      </ActionDialog>
    );
  }
  if (doing === "remove" && member) {
    return (
      <ActionDialog
        title={t("removeTitle", { name: member.name })}
        text={t("removeText", { email: member.email })}
        closeHref={PAGE}
      >
        <TaskForm
          hidden={{ id: member.id }}
          isDangerous
          onAct={removeMemberAction}
          closeHref={PAGE}
          texts={await taskTexts(t("removeButton"))}
        />
      </ActionDialog>
    );
  }
  if (doing === "revoke" && invitation) {
    return (
      <ActionDialog title={t("revokeTitle")} text={t("revokeText", { email: invitation.email })} closeHref={PAGE}>
        <TaskForm
          hidden={{ id: invitation.id }}
          isDangerous
          onAct={revokeInvitationAction}
          closeHref={PAGE}
          texts={await taskTexts(t("revokeButton"))}
        />
      </ActionDialog>
    );
  }
  return null;
}

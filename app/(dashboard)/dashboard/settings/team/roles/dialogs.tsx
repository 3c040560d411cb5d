import { getTranslations } from "next-intl/server";
import {
  changeRoleAction,
  createRoleAction,
  deleteRoleAction,
} from "@/app/(dashboard)/dashboard/settings/team/roles/actions";
import { groupedRights } from "@/app/(dashboard)/right-groups";
import { rightTexts } from "@/app/(dashboard)/right-texts";
import { roleTexts } from "@/app/(dashboard)/role-texts";
import { groupNamer } from "@/app/(dashboard)/sections";
import { taskTexts } from "@/app/(dashboard)/task-texts";
import { ActionDialog } from "@/components/charges/action-dialog";
import { TaskForm } from "@/components/tasks/task-form";
import { LinkButton } from "@/components/ui/link-button";
import { OPERATOR_ROLES } from "@/db/schema/operators";
import type { ListedRole } from "@/lib/operators/custom-roles";
import { may, OPTIONAL_RIGHTS, type OperatorRole } from "@/lib/operators/permissions";

const PAGE = "/dashboard/settings/team/roles";
const ORIGINS = OPERATOR_ROLES.filter((role) => role !== "owner");

interface RoleDialogProps {
  doing: string | undefined;
  /** Of the role that is begun. */
  from: string | undefined;
  role: ListedRole | undefined;
}

/** The form that the address asks for: a role is begun as a copy of another. */
export async function RoleDialog({ doing, from, role }: RoleDialogProps) {
  const t = await getTranslations("team");
  const [roles, rights, groupName] = await Promise.all([roleTexts(), rightTexts(), groupNamer()]);
  const origin = ORIGINS.find((each) => each === from);
  const fields = (name: string, like: OperatorRole) => [
    { name: "name", label: t("roleName"), initial: name, isRequired: true },
    {
      name: "rights",
      label: t("rights"),
      kind: "choices" as const,
      initial: OPTIONAL_RIGHTS.filter((right) => may(like, right)).join(","),
      groups: groupedRights().map(({ group, rights: of }) => ({
        label: groupName(group),
        options: of.map((right) => ({ value: right, label: rights[right] })),
      })),
    },
  ];
  if (doing === "new" && !origin) {
    return (
      <ActionDialog title={t("roleNewTitle")} text={t("roleNewText")} closeHref={PAGE}>
        <ul className="grid gap-2 px-5 pt-4 pb-5">
          {ORIGINS.map((each) => (
            <li key={each}>
              <LinkButton href={`${PAGE}?do=new&from=${each}`} scroll={false} replace className="h-11 w-full sm:h-10">
                {t("roleCopyOf", { role: roles[each] })}
              </LinkButton>
            </li>
          ))}
        </ul>
      </ActionDialog>
    );
  }
  if (doing === "new" && origin) {
    return (
      <ActionDialog
        shape="sheet"
        title={t("roleCopyOf", { role: roles[origin] })}
        text={t("roleRightsText")}
        closeHref={PAGE}
      >
        <TaskForm
          hidden={{ origin }}
          onAct={createRoleAction}
          closeHref={PAGE}
          texts={await taskTexts(t("roleNewButton"))}
          fields={fields("", origin)}
        />
      </ActionDialog>
    );
  }
  if (doing === "change" && role) {
    return (
      <ActionDialog
        shape="sheet"
        title={t("changeTitle", { name: role.name })}
        text={t("roleChangeText", { count: role.holders.length, role: roles[role.origin] })}
        closeHref={PAGE}
      >
        <TaskForm
          hidden={{ id: role.id }}
          onAct={changeRoleAction}
          closeHref={PAGE}
          texts={await taskTexts(t("changeButton"))}
          fields={fields(role.name, role)}
        />
      </ActionDialog>
    );
  }
  if (doing === "delete" && role) {
    return (
      <ActionDialog title={t("roleDeleteTitle", { name: role.name })} text={t("roleDeleteText")} closeHref={PAGE}>
        <TaskForm
          hidden={{ id: role.id }}
          isDangerous
          onAct={deleteRoleAction}
          closeHref={PAGE}
          texts={await taskTexts(t("roleDeleteButton"))}
        />
      </ActionDialog>
    );
  }
  return null;
}

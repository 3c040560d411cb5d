"use server";

import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { runTask, textOf } from "@/app/(dashboard)/task";
import type { TaskState } from "@/components/tasks/task-form";
import { OPERATOR_ROLES } from "@/db/schema/operators";
import { invalid, notFound } from "@/lib/errors";
import { isUuid } from "@/lib/ids";
import { changeRole, createRole, deleteRole, ROLE_NAME_MAX_CHARS, type RoleSaved } from "@/lib/operators/custom-roles";
import { rightsIn } from "@/lib/operators/permissions";

const PAGE = "/dashboard/settings/team/roles";

function idIn(form: FormData): string {
  const id = textOf(form, "id");
  if (!isUuid(id)) throw notFound("role");
  return id;
}

const draftIn = (form: FormData) => ({
  name: textOf(form, "name"),
  rights: rightsIn(form.getAll("rights").map(String)),
});

async function told(draft: ReturnType<typeof draftIn>, save: () => Promise<RoleSaved>): Promise<TaskState> {
  const t = await getTranslations("team");
  const given = { name: draft.name, rights: draft.rights.join(",") };
  if (draft.name === "" || draft.name.length > ROLE_NAME_MAX_CHARS)
    return { problems: { name: t("roleNameUnfit", { most: ROLE_NAME_MAX_CHARS }) }, given };
  const outcome = await save();
  if (outcome.kind === "name_taken") return { problems: { name: t("roleNameTaken") }, given };
  if (outcome.kind === "too_many") return { problem: t("rolesTooMany"), given };
  return redirect(`${PAGE}?done=saved`);
}

export async function createRoleAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("team.manage", async ({ ctx }) => {
    const origin = OPERATOR_ROLES.find((role) => role === textOf(form, "origin"));
    if (!origin || origin === "owner") throw invalid("origin");
    const draft = draftIn(form);
    return told(draft, () => createRole(ctx, { ...draft, origin }));
  });
}

export async function changeRoleAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("team.manage", async ({ ctx }) => {
    const id = idIn(form);
    const draft = draftIn(form);
    return told(draft, () => changeRole(ctx, id, draft));
  });
}

export async function deleteRoleAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("team.manage", async ({ ctx }) => {
    const outcome = await deleteRole(ctx, idIn(form));
    if (outcome.kind === "deleted") return redirect(`${PAGE}?done=deleted`);
    const t = await getTranslations("team");
    return { problem: t("roleInUse", { people: outcome.holders.map(({ name }) => name).join(", ") }) };
  });
}

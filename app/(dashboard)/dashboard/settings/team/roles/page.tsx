import { Minus, Plus, ShieldPlus } from "lucide-react";
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { RoleDialog } from "@/app/(dashboard)/dashboard/settings/team/roles/dialogs";
import { RoleTable } from "@/app/(dashboard)/dashboard/settings/team/roles/role-table";
import { type GivenParameters, oneOf } from "@/app/(dashboard)/list-url";
import { requireRight } from "@/app/(dashboard)/operator-context";
import { rightTexts } from "@/app/(dashboard)/right-texts";
import { roleTexts } from "@/app/(dashboard)/role-texts";
import { DoneNote } from "@/components/dashboard/done-note";
import { PageHead } from "@/components/dashboard/page-head";
import { Badge } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";
import { type ListedRole, listRoles } from "@/lib/operators/custom-roles";

const TEAM = "/dashboard/settings/team";
const PAGE = `${TEAM}/roles`;

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("team");
  return { title: t("roles") };
}

export default async function RolesPage({ searchParams }: { searchParams: Promise<GivenParameters> }) {
  const given = await searchParams;
  const { ctx } = await requireRight(PAGE, "team.manage");
  const t = await getTranslations("team");
  const own = await listRoles(ctx);
  const id = oneOf(given, "id");
  const done = oneOf(given, "done");
  const newLink = (
    <LinkButton href={`${PAGE}?do=new`} scroll={false} tone="primary">
      <ShieldPlus aria-hidden />
      {t("roleNew")}
    </LinkButton>
  );
  return (
    <>
      <PageHead
        title={t("roles")}
        description={t("rolesText")}
        action={
          <>
            <LinkButton href={TEAM}>{t("toTeam")}</LinkButton>
            {newLink}
          </>
        }
      />
      {done === "saved" ? <DoneNote text={t("roleSaved")} /> : null}
      {done === "deleted" ? <DoneNote text={t("roleDeleted")} /> : null}
      {own.length === 0 ? (
        <Card>
          <EmptyState icon={ShieldPlus} title={t("rolesNone")} action={newLink}>
            {t("rolesNoneText")}
          </EmptyState>
        </Card>
      ) : (
        <ul className="grid gap-4 lg:grid-cols-2">
          {own.map((role) => (
            <li key={role.id}>
              <RoleCard role={role} />
            </li>
          ))}
        </ul>
      )}
      <RoleTable />
      <RoleDialog doing={oneOf(given, "do")} from={oneOf(given, "from")} role={own.find((role) => role.id === id)} />
    </>
  );
}

/** A role and what it may more and less than the one it was copied from. */
async function RoleCard({ role }: { role: ListedRole }) {
  const t = await getTranslations("team");
  const [roles, rights] = await Promise.all([roleTexts(), rightTexts()]);
  return (
    <Card className="flex h-full flex-col">
      <div className="grid gap-3 px-5 py-4">
        <div>
          <h2 className="font-semibold text-ink">{role.name}</h2>
          <p className="text-ink-2 text-sm">{t("roleCopyOf", { role: roles[role.origin] })}</p>
        </div>
        {role.added.length + role.removed.length === 0 ? (
          <p className="text-ink-2 text-sm">{t("roleSame")}</p>
        ) : (
          <ul className="flex flex-wrap gap-1.5">
            {role.added.map((right) => (
              <li key={right} className="max-w-full">
                <Badge tone="success" icon={Plus} className="whitespace-normal">
                  <span className="sr-only">{t("roleAdded")}</span>
                  {rights[right]}
                </Badge>
              </li>
            ))}
            {role.removed.map((right) => (
              <li key={right} className="max-w-full">
                <Badge tone="danger" icon={Minus} className="whitespace-normal">
                  <span className="sr-only">{t("roleRemoved")}</span>
                  {rights[right]}
                </Badge>
              </li>
            ))}
          </ul>
        )}
        <p className="text-ink-2 text-sm">
          {role.holders.length === 0
            ? t("roleNobody")
            : t("roleHeldBy", { people: role.holders.map(({ name }) => name).join(", ") })}
        </p>
      </div>
      <div className="mt-auto flex justify-end gap-2 border-line border-t px-5 py-3">
        <LinkButton href={`${PAGE}?do=change&id=${role.id}`} scroll={false} size="sm" tone="quiet">
          {t("change")}
          <span className="sr-only">{role.name}</span>
        </LinkButton>
        <LinkButton href={`${PAGE}?do=delete&id=${role.id}`} scroll={false} size="sm" tone="quiet">
          {t("roleDelete")}
          <span className="sr-only">{role.name}</span>
        </LinkButton>
      </div>
    </Card>
  );
}

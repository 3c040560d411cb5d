import { getTranslations } from "next-intl/server";
import { allowAddressesAction } from "@/app/(dashboard)/dashboard/settings/security/address-actions";
import { taskTexts } from "@/app/(dashboard)/task-texts";
import { ActionDialog } from "@/components/charges/action-dialog";
import { TaskForm } from "@/components/tasks/task-form";
import { Card, CardBody, CardHeader } from "@/components/ui/card";
import { LinkButton } from "@/components/ui/link-button";

const PAGE = "/dashboard/settings/security";

interface AddressesProps {
  account: string;
  allowed: readonly string[];
  /** Where the reader is. */
  own: string | undefined;
}

/** From where the account is opened, for its owners. */
export async function AddressesCard({ account, allowed }: AddressesProps) {
  const t = await getTranslations("addresses");
  return (
    <Card>
      <CardHeader
        title={t("title")}
        description={t("description", { account })}
        actions={
          <LinkButton href={`${PAGE}?do=addresses`} scroll={false} size="sm">
            {t("change")}
          </LinkButton>
        }
      />
      <CardBody>
        {allowed.length === 0 ? (
          <p className="text-ink text-sm">{t("anywhere")}</p>
        ) : (
          <ul className="grid gap-1">
            {allowed.map((address) => (
              <li key={address}>
                <code className="break-all font-mono text-ink text-sm">{address}</code>
              </li>
            ))}
          </ul>
        )}
      </CardBody>
    </Card>
  );
}

export async function AddressesDialog({ account, allowed, own }: AddressesProps) {
  const t = await getTranslations("addresses");
  return (
    <ActionDialog title={t("dialogTitle")} text={t("dialogText", { account })} closeHref={PAGE}>
      <TaskForm
        onAct={allowAddressesAction}
        closeHref={PAGE}
        texts={await taskTexts(t("save"))}
        fields={[
          {
            name: "addresses",
            label: t("list"),
            hint: own ? t("listHintOwn", { address: own }) : t("listHint"),
            kind: "long",
            initial: allowed.join("\n"),
          },
        ]}
      />
    </ActionDialog>
  );
}

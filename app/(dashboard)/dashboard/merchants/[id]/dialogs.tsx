import { ArrowRight } from "lucide-react";
import Link from "next/link";
import { getTranslations } from "next-intl/server";
import {
  addProviderAction,
  changeProviderAction,
  deleteMerchantAction,
  removeProviderAction,
  updateMerchantAction,
} from "@/app/(dashboard)/dashboard/merchants/actions";
import { taskTexts } from "@/app/(dashboard)/task-texts";
import { ActionDialog } from "@/components/charges/action-dialog";
import { TaskForm } from "@/components/tasks/task-form";
import type { TaskField } from "@/components/tasks/task-input";
import type { MerchantView, ProviderRow } from "@/lib/merchants/queries";
import { isRegistrable, KINDS_TO_CONNECT, membersOf } from "@/lib/providers/kind-fields";
import type { RegistrableKind } from "@/lib/providers/kinds";

interface MerchantDialogProps {
  doing: string | undefined;
  kind: string | undefined;
  provider: ProviderRow | undefined;
  view: MerchantView;
  path: string;
}

/** The form or confirmation that the address asks for. */
export async function MerchantDialog({ doing, kind, provider, view: { merchant }, path }: MerchantDialogProps) {
  const t = await getTranslations("merchants");
  const hidden = { id: merchant.id };
  const name = merchant.name ?? merchant.id;
  if (doing === "edit") {
    return (
      <ActionDialog title={t("editTitle")} text={t("editText")} closeHref={path}>
        <TaskForm
          hidden={hidden}
          onAct={updateMerchantAction}
          closeHref={path}
          texts={await taskTexts(t("save"))}
          fields={[
            { name: "name", label: t("name"), initial: merchant.name ?? "" },
            { name: "mcc", label: t("mcc"), hint: t("mccHint"), kind: "number", initial: merchant.mcc },
            {
              name: "merchantName",
              label: t("merchantName"),
              hint: t("merchantNameHint"),
              initial: merchant.merchantName ?? "",
            },
            { name: "merchantUrl", label: t("merchantUrl"), initial: merchant.merchantUrl ?? "" },
            { name: "status", label: t("takesPayments"), kind: "check", initial: merchant.status ? "yes" : "" },
          ]}
        />
      </ActionDialog>
    );
  }
  if (doing === "delete") {
    return (
      <ActionDialog title={t("deleteTitle")} text={t("deleteText", { name })} closeHref={path}>
        <TaskForm
          hidden={hidden}
          isDangerous
          onAct={deleteMerchantAction}
          closeHref={path}
          texts={await taskTexts(t("deleteButton"))}
          fields={[{ name: "typed", label: t("typeName", { name }) }]}
        />
      </ActionDialog>
    );
  }
  if (doing === "add" && (!kind || !isRegistrable(kind))) {
    return (
      <ActionDialog title={t("connectTitle")} text={t("connectText")} closeHref={path}>
        <ul className="mx-3 mt-3 mb-4 max-h-80 overflow-y-auto">
          {KINDS_TO_CONNECT.map((each) => (
            <li key={each.kind}>
              <Link
                href={`${path}?do=add&kind=${each.kind}`}
                replace
                scroll={false}
                className="flex min-h-10 items-center gap-3 rounded-md px-2 text-ink text-sm hover:bg-sunken"
              >
                <span className="flex-1 font-mono">{each.kind}</span>
                {each.isReachable ? null : <span className="text-ink-3 text-xs">{t("unreachable")}</span>}
                <ArrowRight aria-hidden className="size-4 text-ink-3" />
              </Link>
            </li>
          ))}
        </ul>
      </ActionDialog>
    );
  }
  if (doing === "add" && kind && isRegistrable(kind)) {
    return (
      <ActionDialog title={t("connectKind", { kind })} text={t("connectKindText")} closeHref={path}>
        <TaskForm
          hidden={{ ...hidden, kind }}
          onAct={addProviderAction}
          closeHref={path}
          texts={await taskTexts(t("connect"))}
          fields={[{ name: "name", label: t("providerName"), initial: kind }, ...credentialFields(kind, undefined)]}
        />
      </ActionDialog>
    );
  }
  if (doing === "credentials" && provider && isRegistrable(provider.kind)) {
    return (
      <ActionDialog title={t("credentialsTitle", { name: provider.name })} text={t("credentialsText")} closeHref={path}>
        <TaskForm
          hidden={{ ...hidden, provider: provider.id }}
          onAct={changeProviderAction}
          closeHref={path}
          texts={await taskTexts(t("save"))}
          fields={[
            { name: "name", label: t("providerName"), initial: provider.name },
            ...credentialFields(provider.kind, { stored: provider.credentialMembers, hint: t("storedHint") }),
          ]}
        />
      </ActionDialog>
    );
  }
  if (doing === "remove" && provider) {
    return (
      <ActionDialog title={t("removeTitle", { name: provider.name })} text={t("removeText")} closeHref={path}>
        <TaskForm
          hidden={{ ...hidden, provider: provider.id }}
          isDangerous
          onAct={removeProviderAction}
          closeHref={path}
          texts={await taskTexts(t("removeButton"))}
        />
      </ActionDialog>
    );
  }
  return null;
}

/** From the kind's own declaration; what is stored is never shown, and kept when left empty. */
function credentialFields(
  kind: RegistrableKind,
  known: { stored: readonly string[]; hint: string } | undefined,
): TaskField[] {
  return membersOf(kind).map(({ name, isRequired, values }) => {
    const isStored = known?.stored.includes(name) ?? false;
    return {
      name: `credential.${name}`,
      label: name,
      isRequired: isRequired && !isStored,
      hint: isStored ? known?.hint : undefined,
      ...(values.length > 0
        ? { kind: "choice" as const, options: ["", ...values].map((value) => ({ value, label: value })) }
        : { kind: "secret" as const }),
    };
  });
}

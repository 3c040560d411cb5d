import { ArrowRight } from "lucide-react";
import Link from "next/link";
import { getFormatter, getTranslations } from "next-intl/server";
import {
  addProviderAction,
  changeProviderAction,
  changeSubscriptionMailsAction,
  deleteMerchantAction,
  removeProviderAction,
  updateMerchantAction,
} from "@/app/(dashboard)/dashboard/merchants/actions";
import { taskTexts } from "@/app/(dashboard)/task-texts";
import { ActionDialog } from "@/components/charges/action-dialog";
import { credentialFields } from "@/components/merchants/credential-fields";
import { credentialTexts } from "@/components/merchants/credential-words";
import { providerMark, providerName, unusedProviderName } from "@/components/merchants/provider-names";
import { TaskForm } from "@/components/tasks/task-form";
import { SUBSCRIPTION_MAILS, type SubscriptionMail } from "@/db/schema/merchants";
import type { MerchantView } from "@/lib/merchants/queries";
import type { ProviderRow } from "@/lib/payments/routing/provider";
import { isRegistrable, KINDS_TO_CONNECT } from "@/lib/providers/kind-fields";
import { isSimulatedKind, type RegistrableKind } from "@/lib/providers/kinds";

const MAIL_TEXTS = {
  started: "mailStarted",
  trialEnds: "mailTrialEnds",
  receipt: "mailReceipt",
  failed: "mailFailed",
  lastTry: "mailLastTry",
  cardExpires: "mailCardExpires",
  canceled: "mailCanceled",
} as const satisfies Record<SubscriptionMail, string>;

interface MerchantDialogProps {
  doing: string | undefined;
  kind: string | undefined;
  provider: ProviderRow | undefined;
  view: MerchantView;
  isSandbox: boolean;
  path: string;
}

/** The form or confirmation that the address asks for. */
export async function MerchantDialog({
  doing,
  kind,
  provider,
  view: { merchant, providers },
  isSandbox,
  path,
}: MerchantDialogProps) {
  const [t, format] = await Promise.all([getTranslations("merchants"), getFormatter()]);
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
  if (doing === "mails") {
    return (
      <ActionDialog title={t("mailsTitle")} text={t("mailsText")} closeHref={path}>
        <TaskForm
          hidden={hidden}
          onAct={changeSubscriptionMailsAction}
          closeHref={path}
          texts={await taskTexts(t("save"))}
          fields={[
            ...SUBSCRIPTION_MAILS.map((kind) => ({
              name: kind,
              label: t(MAIL_TEXTS[kind]),
              kind: "check" as const,
              initial: merchant.subscriptionMailsOff.includes(kind) ? "" : "yes",
            })),
            {
              name: "buyerMayCancel",
              label: t("buyerMayCancel"),
              kind: "check",
              initial: merchant.buyerMayCancel ? "yes" : "",
            },
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
  // What this installation does not reach is kept only for a merchant that takes no payments (spec/contract.md 11.2).
  const isOpenTo = ({ isReachable }: { isReachable: boolean }) => isReachable || !merchant.status;
  const kinds = KINDS_TO_CONNECT.filter((each) => isSandbox || !isSimulatedKind(each.kind));
  const chosen = kinds.find((each) => each.kind === kind);
  if (doing === "add" && !(chosen && isOpenTo(chosen))) {
    const unreached = kinds.filter(({ isReachable }) => !isReachable);
    return (
      <ActionDialog title={t("connectTitle")} text={t("connectText")} closeHref={path}>
        <KindList kinds={kinds.filter(({ isReachable }) => isReachable)} path={path} />
        <details className="mx-3 mb-4 border-line border-t pt-2">
          <summary className="flex min-h-10 cursor-pointer items-center px-2 text-ink-2 text-sm hover:text-ink">
            {t("notYet", { count: unreached.length })}
          </summary>
          <p className="px-2 pb-2 text-ink-3 text-sm">{t(merchant.status ? "notYetActive" : "notYetText")}</p>
          {merchant.status ? (
            <p className="px-2 pb-2 text-ink-2 text-sm">
              {format.list(unreached.map((each) => providerName(each.kind)))}
            </p>
          ) : (
            <div className="-mx-3 max-h-72 overflow-y-auto">
              <KindList kinds={unreached} path={path} />
            </div>
          )}
        </details>
      </ActionDialog>
    );
  }
  if (doing === "add" && chosen) {
    return (
      <ActionDialog
        title={t("connectKind", { kind: providerName(chosen.kind) })}
        text={t("connectKindText")}
        closeHref={path}
      >
        <TaskForm
          hidden={{ ...hidden, kind: chosen.kind }}
          onAct={addProviderAction}
          closeHref={path}
          texts={await taskTexts(t("connect"))}
          fields={[
            {
              name: "name",
              label: t("providerName"),
              initial: unusedProviderName(
                chosen.kind,
                providers.map((each) => each.name),
              ),
            },
            ...credentialFields(chosen.kind, await credentialTexts(), { isTest: isSandbox, stored: [] }),
          ]}
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
            ...credentialFields(provider.kind, await credentialTexts(), {
              isTest: provider.credentialMembers.includes("environment"),
              stored: provider.credentialMembers,
            }),
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

interface KindListProps {
  kinds: readonly { kind: RegistrableKind }[];
  path: string;
}

function KindList({ kinds, path }: KindListProps) {
  return (
    <ul className="mx-3 my-2">
      {kinds.map(({ kind }) => (
        <li key={kind}>
          <Link
            href={`${path}?do=add&kind=${kind}`}
            replace
            scroll={false}
            className="flex min-h-11 items-center gap-3 rounded-md px-2 text-ink text-sm hover:bg-sunken"
          >
            <span
              aria-hidden
              className="grid size-8 shrink-0 place-items-center rounded-md bg-accent-soft font-semibold text-accent-ink text-xs"
            >
              {providerMark(kind)}
            </span>
            <span className="flex-1 font-medium">{providerName(kind)}</span>
            <ArrowRight aria-hidden className="size-4 text-ink-3" />
          </Link>
        </li>
      ))}
    </ul>
  );
}

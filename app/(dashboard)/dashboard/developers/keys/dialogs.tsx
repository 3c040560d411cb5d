import { getFormatter, getTranslations } from "next-intl/server";
import {
  allowKeyAction,
  createPublicKeyAction,
  createSecretKeyAction,
  revokePublicKeyAction,
  revokeSecretKeyAction,
  rotateSecretKeyAction,
} from "@/app/(dashboard)/dashboard/developers/keys/actions";
import { areaWords } from "@/app/(dashboard)/dashboard/developers/keys/words";
import { taskTexts } from "@/app/(dashboard)/task-texts";
import { ActionDialog } from "@/components/charges/action-dialog";
import { TaskForm } from "@/components/tasks/task-form";
import { BUYER_SCOPES, SCOPES, type Scope, SEGMENTS, SEGMENTS_TO_READ } from "@/lib/http/scopes";
import { DAY_SECONDS, realNow } from "@/lib/time";

const PAGE = "/dashboard/developers/keys";
const LIVES = [
  { days: 0, wording: "lifeForever" },
  { days: 1, wording: "lifeDay" },
  { days: 30, wording: "lifeMonth" },
  { days: 365, wording: "lifeYear" },
] as const;

const OTHER_SCOPES = SCOPES.filter((scope) => !BUYER_SCOPES.some((one) => one === scope));

interface KeyDialogProps {
  doing: string | undefined;
  id: string;
  hint: string;
  isSandbox: boolean;
  /** From where the key is taken now. */
  allowed: readonly string[];
}

/** The confirmation that the address asks for. */
export async function KeyDialog({ doing, id, hint, allowed, isSandbox }: KeyDialogProps) {
  const [t, format, area] = await Promise.all([getTranslations("keys"), getFormatter(), areaWords()]);
  const scopeOptions = (scopes: readonly Scope[]) => scopes.map((scope) => ({ value: scope, label: area(scope) }));
  switch (doing) {
    case "create":
      return (
        <ActionDialog title={t("createTitle")} text={t("createText")} closeHref={PAGE} shape="sheet">
          <TaskForm
            onAct={createSecretKeyAction}
            closeHref={PAGE}
            texts={await taskTexts(t("createButton"))}
            fields={[
              {
                name: "name",
                label: t("name"),
                hint: t("nameHint"),
                initial: t("nameSuggested", { date: format.dateTime(realNow(), { dateStyle: "medium" }) }),
                isRequired: true,
              },
              {
                name: "access",
                label: t("access"),
                kind: "choice",
                // What is broad is only ever chosen by hand.
                initial: "chosen",
                options: [
                  { value: "chosen", label: t("accessChosen") },
                  { value: "all", label: t("accessAllOption") },
                ],
              },
              {
                name: "rights",
                label: t("rights"),
                hint: t("rightsHint"),
                kind: "matrix",
                when: "chosen",
                options: [
                  { value: "none", label: t("rightNone") },
                  { value: "read", label: t("rightRead") },
                  { value: "write", label: t("rightWrite") },
                ],
                rows: SEGMENTS.filter((segment) => isSandbox || segment !== "sandbox").map((segment) => ({
                  value: segment,
                  label: area(segment),
                  code: `/v1/${segment}`,
                  levels: SEGMENTS_TO_READ.has(segment) ? ["read"] : ["read", "write"],
                })),
              },
            ]}
          />
        </ActionDialog>
      );
    case "rotate":
      return (
        <ActionDialog title={t("rotateTitle")} text={t("rotateText", { hint })} closeHref={PAGE}>
          <TaskForm
            hidden={{ id }}
            onAct={rotateSecretKeyAction}
            closeHref={PAGE}
            texts={await taskTexts(t("rotateButton"))}
          />
        </ActionDialog>
      );
    case "revoke":
      return (
        <ActionDialog title={t("revokeTitle")} text={t("revokeText", { hint })} closeHref={PAGE}>
          <TaskForm
            hidden={{ id }}
            isDangerous
            onAct={revokeSecretKeyAction}
            closeHref={PAGE}
            texts={await taskTexts(t("revokeButton"))}
          />
        </ActionDialog>
      );
    case "addresses":
      if (hint === "") return null;
      return (
        <ActionDialog title={t("addressesTitle")} text={t("addressesText", { hint })} closeHref={PAGE}>
          <TaskForm
            hidden={{ id }}
            onAct={allowKeyAction}
            closeHref={PAGE}
            texts={await taskTexts(t("addressesButton"))}
            fields={[
              {
                name: "addresses",
                label: t("addresses"),
                hint: t("addressesHint"),
                kind: "long",
                initial: allowed.join("\n"),
              },
            ]}
          />
        </ActionDialog>
      );
    case "create-public":
      return (
        <ActionDialog title={t("createPublicTitle")} text={t("createPublicText")} closeHref={PAGE}>
          <TaskForm
            onAct={createPublicKeyAction}
            closeHref={PAGE}
            texts={await taskTexts(t("createPublicButton"))}
            fields={[
              {
                name: "scope",
                label: t("scopes"),
                kind: "choices",
                initial: "tokens",
                hint: t("scopesHint"),
                options: scopeOptions(BUYER_SCOPES),
              },
              {
                name: "wide",
                label: t("wideScopes"),
                kind: "choices",
                hint: t("wideScopesHint"),
                options: scopeOptions(OTHER_SCOPES),
              },
              {
                name: "expires",
                label: t("life"),
                kind: "choice",
                initial: "0",
                options: LIVES.map(({ days, wording }) => ({ value: String(days * DAY_SECONDS), label: t(wording) })),
              },
            ]}
          />
        </ActionDialog>
      );
    case "revoke-public":
      return (
        <ActionDialog title={t("revokePublicTitle")} text={t("revokePublicText", { hint })} closeHref={PAGE}>
          <TaskForm
            hidden={{ id }}
            isDangerous
            onAct={revokePublicKeyAction}
            closeHref={PAGE}
            texts={await taskTexts(t("revokeButton"))}
          />
        </ActionDialog>
      );
    default:
      return null;
  }
}

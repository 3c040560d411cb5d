import { getFormatter, getLocale, getTranslations } from "next-intl/server";
import {
  addDocumentAction,
  changeSellerAction,
  checkAccountAction,
  checkSellerPartAction,
  deleteSellerAction,
  inviteAction,
  proposeAccountAction,
  proposeAdjustmentAction,
  proposeWriteOffAction,
  submitReviewAction,
  switchSellerAction,
} from "@/app/(dashboard)/dashboard/sellers/actions";
import { fileKind, fileLimits } from "@/app/(dashboard)/dashboard/sellers/chosen-files";
import {
  accountFields,
  businessFields,
  ownerFields,
  type PlanChoice,
  policyFields,
  termFields,
} from "@/app/(dashboard)/dashboard/sellers/fields";
import { DocumentForm, FileTaskForm } from "@/app/(dashboard)/dashboard/sellers/file-forms";
import { answerFields } from "@/app/(dashboard)/dashboard/sellers/review-answer";
import { DOCUMENT_TEXTS, providerNamer } from "@/app/(dashboard)/dashboard/sellers/words";
import { taskTexts } from "@/app/(dashboard)/task-texts";
import { ActionDialog } from "@/components/charges/action-dialog";
import { TaskForm } from "@/components/tasks/task-form";
import type { TaskField } from "@/components/tasks/task-input";
import { formatCents } from "@/components/ui/money-format";
import { DOCUMENT_TYPES } from "@/db/schema/sellers";
import { MEGABYTE, MOST_BYTES } from "@/lib/sellers/file-kinds";
import type { SellerOverview } from "@/lib/sellers/operator-queries";
import type { ReviewRow } from "@/lib/sellers/queries";

interface SellerDialogProps {
  doing: string | undefined;
  review: ReviewRow | undefined;
  overview: SellerOverview;
  plans: readonly PlanChoice[];
  path: string;
  rights: { edit: boolean; bank: boolean; adjust: boolean };
}

/** The form or confirmation that the address asks for. */
export async function SellerDialog({ doing, review, overview, plans, path, rights }: SellerDialogProps) {
  const t = await getTranslations("sellers");
  const { row } = overview.seller;
  const hidden = { id: row.id };
  if (doing === "account" && rights.bank) {
    return (
      <ActionDialog title={t("accountTitle")} text={t("accountText")} closeHref={path} shape="sheet">
        <TaskForm
          hidden={hidden}
          onAct={proposeAccountAction}
          onCheck={checkAccountAction}
          closeHref={path}
          texts={await taskTexts(t("accountButton"))}
          fields={await accountFields(overview.shown.isMasked ? undefined : row.bankAccount)}
        />
      </ActionDialog>
    );
  }
  if (doing === "adjust" && rights.adjust) {
    return (
      <ActionDialog title={t("adjustTitle")} text={t("adjustText", { name: overview.shown.name })} closeHref={path}>
        <TaskForm
          hidden={hidden}
          onAct={proposeAdjustmentAction}
          closeHref={path}
          texts={await taskTexts(t("adjustButton"))}
          fields={[
            {
              name: "kind",
              label: t("adjustKind"),
              kind: "choice",
              initial: "credit",
              options: [
                { value: "credit", label: t("adjustCredit") },
                { value: "add", label: t("adjustAdd") },
                { value: "take", label: t("adjustTake") },
              ],
            },
            { name: "amount", label: t("adjustAmount"), isRequired: true },
            { name: "reason", label: t("why"), hint: t("writeOffReasonHint"), isRequired: true },
          ]}
        />
      </ActionDialog>
    );
  }
  const debt = -overview.balance.available;
  if (doing === "write-off" && rights.adjust && debt > 0) {
    const amount = formatCents(debt, "BRL", await getLocale());
    return (
      <ActionDialog
        title={t("writeOffTitle")}
        text={t("writeOffText", { amount, name: overview.shown.name })}
        closeHref={path}
      >
        <TaskForm
          hidden={{ ...hidden, amount: String(debt) }}
          isDangerous
          onAct={proposeWriteOffAction}
          closeHref={path}
          texts={await taskTexts(t("writeOffButton", { amount }))}
          fields={[{ name: "reason", label: t("writeOffReason"), hint: t("writeOffReasonHint"), isRequired: true }]}
        />
      </ActionDialog>
    );
  }
  if (!rights.edit || !doing) return null;
  if (doing === "review" && review?.status === "opened")
    return <ReviewSheet review={review} overview={overview} path={path} />;
  if (doing === "invite") {
    const names = await getTranslations("profile");
    return (
      <ActionDialog title={t("inviteTitle")} text={t("inviteText")} closeHref={path}>
        <TaskForm
          hidden={hidden}
          onAct={inviteAction}
          closeHref={path}
          texts={await taskTexts(t("inviteButton"))}
          fields={[
            {
              name: "email",
              label: t("email"),
              kind: "email",
              initial: overview.shown.isMasked ? undefined : (row.businessEmail ?? row.ownerEmail),
              isRequired: true,
            },
            {
              name: "locale",
              label: t("inviteLanguage"),
              kind: "choice",
              initial: await getLocale(),
              options: [
                { value: "pt-BR", label: names("portuguese") },
                { value: "en", label: names("english") },
              ],
            },
          ]}
        />
      </ActionDialog>
    );
  }
  if (doing === "on" || doing === "off") {
    const isOn = doing === "on";
    return (
      <ActionDialog
        title={isOn ? t("onTitle") : t("offTitle")}
        text={isOn ? t("onText") : t("offText")}
        closeHref={path}
      >
        <TaskForm
          hidden={{ ...hidden, how: doing }}
          isDangerous={!isOn}
          onAct={switchSellerAction}
          closeHref={path}
          texts={await taskTexts(isOn ? t("switchOn") : t("switchOff"))}
          fields={isOn ? [] : [{ name: "reason", label: t("why"), hint: t("whyHint") }]}
        />
      </ActionDialog>
    );
  }
  if (doing === "delete") {
    const name = row.businessName ?? row.ownerName;
    return (
      <ActionDialog title={t("deleteTitle")} text={t("deleteText", { name })} closeHref={path}>
        <TaskForm
          hidden={hidden}
          isDangerous
          onAct={deleteSellerAction}
          closeHref={path}
          texts={await taskTexts(t("deleteButton"))}
          fields={[{ name: "typed", label: t("typeName", { name }) }]}
        />
      </ActionDialog>
    );
  }
  if (doing === "document") return <DocumentDialog hidden={hidden} path={path} />;
  const part = await partOf(doing, overview, plans);
  if (!part) return null;
  return (
    <ActionDialog title={part.title} text={part.text} closeHref={path} shape="sheet">
      <TaskForm
        hidden={{ ...hidden, part: doing }}
        onAct={changeSellerAction}
        onCheck={checkSellerPartAction}
        closeHref={path}
        texts={await taskTexts(t("save"))}
        fields={part.fields}
      />
    </ActionDialog>
  );
}

interface Part {
  title: string;
  text: string;
  fields: TaskField[];
}

async function partOf(
  doing: string,
  { seller: { row }, shown }: SellerOverview,
  plans: readonly PlanChoice[],
): Promise<Part | undefined> {
  const t = await getTranslations("sellers");
  if (doing === "terms") return { title: t("terms"), text: t("termsText"), fields: await termFields(plans, row) };
  if (doing === "transfers")
    return { title: t("transfers"), text: t("transfersText"), fields: await policyFields(row.transferPolicy) };
  if (shown.isMasked) return undefined;
  if (doing === "owner") return { title: t("ownerTitle"), text: t("toldText"), fields: await ownerFields(row.owner) };
  if (doing === "business" && row.business)
    return { title: t("businessTitle"), text: t("toldText"), fields: await businessFields(row.business) };
  return undefined;
}

async function DocumentDialog({ hidden, path }: { hidden: Record<string, string>; path: string }) {
  const t = await getTranslations("sellers");
  const kinds = await Promise.all(DOCUMENT_TYPES.map(async (type) => [type, await fileKind(type)] as const));
  return (
    <ActionDialog title={t("addDocument")} text={t("addDocumentText")} closeHref={path}>
      <DocumentForm
        hidden={hidden}
        onAct={addDocumentAction}
        closeHref={path}
        texts={await taskTexts(t("send"))}
        limits={await fileLimits()}
        kinds={Object.fromEntries(kinds)}
        fields={[
          {
            name: "type",
            label: t("documentType"),
            kind: "choice",
            initial: "SELFIE",
            options: DOCUMENT_TYPES.map((type) => ({ value: type, label: t(DOCUMENT_TEXTS[type]) })),
          },
          {
            ...(await fileKind("SELFIE")),
            name: "file",
            label: t("file"),
            // Without scripts it does not follow the type.
            hint: t("fileHintAny", { most: MOST_BYTES / MEGABYTE }),
            kind: "file",
            isRequired: true,
          },
        ]}
      />
    </ActionDialog>
  );
}

interface ReviewSheetProps {
  review: ReviewRow;
  overview: SellerOverview;
  path: string;
}

async function ReviewSheet({ review, overview, path }: ReviewSheetProps) {
  const [t, format, named] = await Promise.all([getTranslations("sellers"), getFormatter(), providerNamer()]);
  const { row } = overview.seller;
  const provider = named(review.registrationId, overview.providers);
  const day = format.dateTime(review.deadline, { dateStyle: "long" });
  return (
    <ActionDialog
      title={t("reviewTitle")}
      text={
        review.reason
          ? t("reviewTextWhy", { provider, day, reason: review.reason })
          : t("reviewText", { provider, day })
      }
      closeHref={path}
      shape="sheet"
    >
      <FileTaskForm
        limits={await fileLimits()}
        hidden={{ id: row.id, review: review.id }}
        onAct={submitReviewAction}
        closeHref={path}
        texts={await taskTexts(t("submit"))}
        fields={await answerFields(review, overview.shown.isMasked ? undefined : row, overview.documents)}
      />
    </ActionDialog>
  );
}

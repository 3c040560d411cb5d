import { getTranslations } from "next-intl/server";
import { withBody } from "@/app/(dashboard)/dashboard/sellers/body";
import {
  type AskedFile,
  askedFileField,
  checkedFiles,
  chosenFiles,
  isDocumentType,
} from "@/app/(dashboard)/dashboard/sellers/chosen-files";
import {
  BUSINESS_MEMBERS,
  businessFields,
  OWNER_MEMBERS,
  ownerFields,
} from "@/app/(dashboard)/dashboard/sellers/fields";
import { givenIn } from "@/app/(dashboard)/dashboard/sellers/typed";
import type { Issue } from "@/app/(dashboard)/dashboard/sellers/unfit";
import { askedNamer } from "@/app/(dashboard)/dashboard/sellers/words";
import { textOf } from "@/app/(dashboard)/task";
import type { TaskState } from "@/components/tasks/task-form";
import type { TaskField } from "@/components/tasks/task-input";
import { type Context, inTransaction } from "@/lib/context";
import { storeUpload } from "@/lib/sellers/documents";
import type { DocumentType } from "@/lib/sellers/file-kinds";
import { documentsOfSeller, type ShownDocument } from "@/lib/sellers/own-figures";
import type { ReviewRow, SellerRow } from "@/lib/sellers/queries";
import { cameSince, openReviewAt, submission, submitReview } from "@/lib/sellers/reviews";

type AskedReview = Pick<ReviewRow, "requestedFields" | "createdAt" | "submittedAt">;

function documentTypeIn(path: string): DocumentType | undefined {
  const [group, type = "", ...more] = path.split(".");
  return group === "documents" && more.length === 0 && isDocumentType(type) ? type : undefined;
}

/** The fields that are asked for, and no others; with what is known, where the reader may see it. */
export async function answerFields(
  review: AskedReview,
  seen: Pick<SellerRow, "owner" | "business"> | undefined,
  documents: readonly ShownDocument[],
): Promise<TaskField[]> {
  const [t, asked] = await Promise.all([getTranslations("sellers"), askedNamer()]);
  const known = [...(await ownerFields(seen?.owner)), ...(await businessFields(seen?.business))];
  const came = cameSince(review, documents);
  const optional = t("optional");
  const fields = new Map<string, TaskField>();
  for (const path of review.requestedFields) {
    const type = documentTypeIn(path);
    if (type) {
      const cameAt = came.find((document) => document.type === type)?.createdAt;
      fields.set(path, await askedFileField(path, asked(path), { type, cameAt }));
      continue;
    }
    for (const field of known) {
      if (field.name === path) fields.set(path, demanded(field, optional));
      else if (field.name.startsWith(`${path}.`) && !fields.has(field.name)) fields.set(field.name, field);
    }
  }
  return [...fields.values()];
}

/** What the provider names itself is no longer optional. */
const demanded = (field: TaskField, optional: string): TaskField => ({
  ...field,
  isRequired: true,
  hint: field.hint === optional ? undefined : field.hint,
});

interface Ends {
  done: () => TaskState;
  /** Said where no field of the form takes what is asked for. */
  elsewhere: string;
}

/**
 * What a review asks for, all of it, sent by somebody of the shop or by the seller; nothing else of the form is read.
 * Files are stored with the answer or not at all.
 */
export async function withAnswer(
  ctx: Context,
  id: string,
  reviewId: string,
  form: FormData,
  { done, elsewhere }: Ends,
): Promise<TaskState> {
  // Before a file is read: the answer to what is closed would be refused after it.
  const { review, documents } = await inTransaction(ctx, async (inside) => ({
    review: await openReviewAt(inside, id, reviewId),
    documents: await documentsOfSeller(inside, id),
  }));
  const fields = await answerFields(review, undefined, documents);
  if (fields.length === 0) return { problem: elsewhere };
  const members = [...OWNER_MEMBERS, ...BUSINESS_MEMBERS].filter(([path]) => fields.some(({ name }) => name === path));
  const asked = filesAmong(fields);
  const { files, problems } = await chosenFiles(form, asked);
  const found = { issues: missingAmong(fields, form), problems };
  return withBody(form, members, submission, { found }, async (body) => {
    const checked = await checkedFiles(ctx, files);
    if (Object.keys(checked.problems).length > 0) {
      const problem = (await getTranslations("sellers"))("unfit");
      return { problem, problems: checked.problems, given: givenIn(form, members) };
    }
    const came = cameSince(review, documents).filter(({ type }) => asked.some((one) => one.type === type));
    await inTransaction(ctx, async (inside) => {
      const sent = came.map((document) => document.id);
      for (const upload of checked.uploads) sent.push((await storeUpload(inside, upload)).id);
      await submitReview(inside, id, reviewId, { ...body, documents: sent });
    });
    return done();
  });
}

const filesAmong = (fields: readonly TaskField[]): AskedFile[] =>
  fields.flatMap(({ name, isRequired = false }) => {
    const type = documentTypeIn(name);
    return type ? [{ name, type, isRequired }] : [];
  });

const missingAmong = (fields: readonly TaskField[], form: FormData): Issue[] =>
  fields
    .filter(({ name, kind, isRequired }) => isRequired && kind !== "file" && textOf(form, name) === "")
    .map(({ name }) => ({ code: "custom", path: name.split(".") }));

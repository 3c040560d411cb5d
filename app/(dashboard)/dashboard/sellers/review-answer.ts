import { getTranslations } from "next-intl/server";
import { withBody } from "@/app/(dashboard)/dashboard/sellers/body";
import {
  BUSINESS_MEMBERS,
  businessFields,
  OWNER_MEMBERS,
  ownerFields,
} from "@/app/(dashboard)/dashboard/sellers/fields";
import { givenIn } from "@/app/(dashboard)/dashboard/sellers/typed";
import { askedNamer } from "@/app/(dashboard)/dashboard/sellers/words";
import type { TaskState } from "@/components/tasks/task-form";
import type { TaskField } from "@/components/tasks/task-input";
import { inTransaction } from "@/lib/context";
import { DomainError, RequestError } from "@/lib/errors";
import { newDocument } from "@/lib/sellers/document-schema";
import { uploadDocument } from "@/lib/sellers/documents";
import type { ReviewRow, SellerRow } from "@/lib/sellers/queries";
import { openReviewAt, submission, submitReview } from "@/lib/sellers/reviews";

export const FILES = "image/png,image/jpeg,image/bmp,image/webp,image/heic,image/heif,application/pdf";

/** The fields that are asked for, and no others; with what is known, where the reader may see it. */
export async function answerFields(
  { requestedFields }: ReviewRow,
  seen: Pick<SellerRow, "owner" | "business"> | undefined,
): Promise<TaskField[]> {
  const [t, asked] = await Promise.all([getTranslations("sellers"), askedNamer()]);
  const known = [...(await ownerFields(seen?.owner)), ...(await businessFields(seen?.business))];
  return requestedFields.flatMap((path): TaskField[] => {
    if (path.startsWith("documents."))
      return [{ name: path, label: asked(path), hint: t("fileHint"), kind: "file", accept: FILES }];
    return known.filter(({ name }) => name === path || name.startsWith(`${path}.`));
  });
}

/** What a review asks for, sent by somebody of the shop or by the seller; nothing else of the form is read. */
export async function withAnswer(
  ctx: Parameters<typeof uploadDocument>[0],
  id: string,
  reviewId: string,
  form: FormData,
  done: () => TaskState,
): Promise<TaskState> {
  // Before a file is read or kept: the answer to what is closed would be refused after it.
  const { requestedFields } = await inTransaction(ctx, (inside) => openReviewAt(inside, id, reviewId));
  const members = [...OWNER_MEMBERS, ...BUSINESS_MEMBERS].filter(([name]) =>
    requestedFields.some((field) => name === field || name.startsWith(`${field}.`)),
  );
  const documents: string[] = [];
  for (const field of requestedFields.filter((asked) => asked.startsWith("documents."))) {
    const file = form.get(field);
    if (!(file instanceof File) || file.size === 0) continue;
    const refused = await filed(field, async () => {
      documents.push(await uploaded(ctx, field.slice("documents.".length), file));
      return {};
    });
    if (refused.problems) return { ...refused, given: givenIn(form, members) };
  }
  const sent = documents.length > 0 ? { documents } : {};
  return withBody(form, members, submission, sent, async (body) => {
    await inTransaction(ctx, (inside) => submitReview(inside, id, reviewId, body));
    return done();
  });
}

export async function uploaded(ctx: Parameters<typeof uploadDocument>[0], type: string, file: File): Promise<string> {
  const { type: known } = newDocument.parse({ type });
  const bytes = Buffer.from(await file.arrayBuffer());
  return (await uploadDocument(ctx, { type: known, file: bytes })).id;
}

/** A file that was refused is told of beside its field. */
export async function filed(name: string, work: () => Promise<TaskState>): Promise<TaskState> {
  try {
    return await work();
  } catch (thrown) {
    const isOfFile =
      thrown instanceof RequestError &&
      ((thrown instanceof DomainError && thrown.businessCode === "document_too_large") ||
        (thrown.details ?? []).some((detail) => detail.startsWith("file:")));
    if (!isOfFile) throw thrown;
    return { problems: { [name]: (await getTranslations("sellers"))("fileProblem") } };
  }
}

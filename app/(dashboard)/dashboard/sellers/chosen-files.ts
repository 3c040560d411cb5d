import { getFormatter, getTranslations } from "next-intl/server";
import { type FileLimits, isPhoto } from "@/app/(dashboard)/dashboard/sellers/file-sizes";
import type { TaskField } from "@/components/tasks/task-input";
import { DOCUMENT_TYPES } from "@/db/schema/sellers";
import type { Context } from "@/lib/context";
import { RequestError } from "@/lib/errors";
import { type CheckedUpload, checkedUpload } from "@/lib/sellers/documents";
import {
  acceptOf,
  type DocumentType,
  kindProblemOf,
  MEGABYTE,
  MOST_BYTES,
  MOST_BYTES_TOGETHER,
  takesPdf,
} from "@/lib/sellers/file-kinds";

const MOST = MOST_BYTES / MEGABYTE;

export const isDocumentType = (text: string): text is DocumentType => DOCUMENT_TYPES.some((type) => type === text);

/** What the field of a document lets be chosen, and says so. */
export async function fileKind(type: DocumentType): Promise<{ accept: string; hint: string }> {
  const t = await getTranslations("sellers");
  return { accept: acceptOf(type), hint: t(takesPdf(type) ? "fileHintPdf" : "fileHint", { most: MOST }) };
}

/** Of a document that a review asks for: it must be chosen, unless it came since. */
export async function askedFileField(
  name: string,
  label: string,
  { type, cameAt }: { type: DocumentType; cameAt: Date | undefined },
): Promise<TaskField> {
  const field = { name, label, kind: "file" as const, ...(await fileKind(type)) };
  if (!cameAt) return { ...field, isRequired: true };
  const [t, format] = await Promise.all([getTranslations("sellers"), getFormatter()]);
  return { ...field, hint: t("fileHintCame", { day: format.dateTime(cameAt, { dateStyle: "medium" }) }) };
}

/** What is told in the browser: the server never reads a request that is larger. */
export async function fileLimits(): Promise<FileLimits> {
  const t = await getTranslations("sellers");
  return {
    each: MOST_BYTES,
    together: MOST_BYTES_TOGETHER,
    texts: {
      above: t("unfit"),
      each: t("fileLarge", { most: MOST }),
      photo: t("filePhoto", { most: MOST }),
      together: t("filesLarge", { most: MOST_BYTES_TOGETHER / 1_000_000 }),
    },
  };
}

export interface ChosenFile {
  name: string;
  type: DocumentType;
  file: Buffer;
}

export interface AskedFile {
  name: string;
  type: DocumentType;
  isRequired: boolean;
}

/** What was chosen, looked at as far as that is quick; what cannot be taken stands under its field's name. */
export async function chosenFiles(
  form: FormData,
  asked: readonly AskedFile[],
): Promise<{ files: ChosenFile[]; problems: Record<string, string> }> {
  const t = await getTranslations("sellers");
  const files: ChosenFile[] = [];
  const problems: Record<string, string> = {};
  for (const { name, type, isRequired } of asked) {
    const given = form.get(name);
    if (!(given instanceof File) || given.size === 0) {
      if (isRequired) problems[name] = t("fileMissing");
      continue;
    }
    if (given.size > MOST_BYTES) {
      problems[name] = t(isPhoto(given) ? "filePhoto" : "fileLarge", { most: MOST });
      continue;
    }
    const file = Buffer.from(await given.arrayBuffer());
    const problem = kindProblemOf(type, file);
    if (problem === undefined) files.push({ name, type, file });
    else if (problem === "pdf") problems[name] = t("fileNoPdf");
    else problems[name] = t(takesPdf(type) ? "fileKindPdf" : "fileKind");
  }
  return { files, problems };
}

/** All of them ready to be stored, or what is wrong with some: nothing is stored here. */
export async function checkedFiles(
  ctx: Context,
  files: readonly ChosenFile[],
): Promise<{ uploads: CheckedUpload[]; problems: Record<string, string> }> {
  const uploads: CheckedUpload[] = [];
  const problems: Record<string, string> = {};
  for (const { name, type, file } of files) {
    try {
      uploads.push(await checkedUpload(ctx, { type, file }));
    } catch (thrown) {
      if (!isOfFile(thrown)) throw thrown;
      problems[name] = (await getTranslations("sellers"))("fileDamaged");
    }
  }
  return { uploads, problems };
}

const isOfFile = (thrown: unknown): boolean =>
  thrown instanceof RequestError && thrown.details.some((detail) => detail.startsWith("file:"));

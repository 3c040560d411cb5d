import { getTranslations } from "next-intl/server";
import type { z } from "zod";
import { bodyOf, fieldAt, givenIn, type TypedMember } from "@/app/(dashboard)/dashboard/sellers/typed";
import type { TaskState } from "@/components/tasks/task-form";
import { DomainError, RequestError } from "@/lib/errors";

/** What a form does not ask for: documents and addresses here are Brazilian, and every day has one transfer. */
function completed(body: Record<string, unknown>): Record<string, unknown> {
  const person = (name: string, type: string): object => {
    // Guarantee: made by bodyOf, which nests members in objects.
    const given = body[name] as { document?: object; address?: object } | undefined;
    if (!given) return {};
    return {
      [name]: {
        ...given,
        ...(given.document ? { document: { ...given.document, type, country: "BR" } } : {}),
        ...(given.address ? { address: { ...given.address, country: "BR" } } : {}),
      },
    };
  };
  const policy = body.transferPolicy as { transferInterval?: string } | undefined;
  return {
    ...body,
    ...person("owner", "cpf"),
    ...person("business", "cnpj"),
    ...(policy?.transferInterval === "daily" ? { transferPolicy: { ...policy, transferDay: "1" } } : {}),
  };
}

/** No field of a seller takes more. */
const LONGEST_TEXT = 255;

/** The problem of each field, beside it; `problem` alone where no field of the form is to blame. */
async function refusal(paths: readonly string[], form: FormData, members: readonly TypedMember[]): Promise<TaskState> {
  const t = await getTranslations("sellers");
  const fields = paths.flatMap((path) => fieldAt(path, members) ?? []);
  const said = (name: string) => t(String(form.get(name) ?? "").length > LONGEST_TEXT ? "unfitLong" : "unfitField");
  return {
    problem: t("unfit"),
    problems: Object.fromEntries(fields.map((name) => [name, said(name)])),
    given: givenIn(form, members),
  };
}

/** Parses what was typed and does it; what is refused by its path stands beside its field. */
export async function withBody<S extends z.ZodType>(
  form: FormData,
  members: readonly TypedMember[],
  schema: S,
  more: Record<string, unknown>,
  work: (body: z.output<S>) => Promise<TaskState>,
): Promise<TaskState> {
  const parsed = schema.safeParse({ ...completed(bodyOf(form, members)), ...more });
  if (!parsed.success)
    return refusal(
      parsed.error.issues.map(({ path }) => path.join(".")),
      form,
      members,
    );
  try {
    return await work(parsed.data);
  } catch (thrown) {
    if (thrown instanceof RequestError && !(thrown instanceof DomainError) && thrown.status === 400) {
      const paths = (thrown.details ?? []).map((detail) => detail.split(":")[0] ?? "");
      if (paths.some((path) => fieldAt(path, members))) return refusal(paths, form, members);
    }
    if (thrown instanceof DomainError) {
      const t = await getTranslations("sellers");
      const words = {
        seller_already_exists: t("exists"),
        provider_kind_not_available: t("noProvider"),
        vendor_already_exists: t("vendorExists"),
      };
      // Guarantee: looked up only where the key exists.
      const problem = Object.hasOwn(words, thrown.businessCode)
        ? words[thrown.businessCode as keyof typeof words]
        : undefined;
      if (problem) return { problem, given: givenIn(form, members) };
    }
    throw thrown;
  }
}

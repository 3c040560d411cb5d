import { getLocale, getTranslations } from "next-intl/server";
import type { z } from "zod";
import { brazilianIssues } from "@/app/(dashboard)/dashboard/sellers/brazilian";
import { bodyOf, fieldAt, givenIn, type TypedMember } from "@/app/(dashboard)/dashboard/sellers/typed";
import { type Issue, unfitWords } from "@/app/(dashboard)/dashboard/sellers/unfit";
import type { TaskState } from "@/components/tasks/task-form";
import { cityOfCep, stateOfCep } from "@/lib/brazil/cep";
import { DomainError, RequestError } from "@/lib/errors";

/**
 * What a form does not ask for, or in its own way: documents and addresses here are Brazilian, a place that was left
 * empty is its CEP's, and the day of a transfer is one of a week or of a month.
 */
function completed(body: Record<string, unknown>): Record<string, unknown> {
  const person = (name: string, type: string): object => {
    // Guarantee: made by bodyOf, which nests members in objects.
    const given = body[name] as { document?: object; address?: Address } | undefined;
    if (!given) return {};
    return {
      [name]: {
        ...given,
        ...(given.document ? { document: { ...given.document, type, country: "BR" } } : {}),
        ...(given.address ? { address: { ...placeOf(given.address), ...given.address, country: "BR" } } : {}),
      },
    };
  };
  const policy = body.transferPolicy as Policy | undefined;
  return {
    ...body,
    ...person("owner", "cpf"),
    ...person("business", "cnpj"),
    ...(policy ? { transferPolicy: withDay(policy) } : {}),
  };
}

interface Address {
  city?: string;
  state?: string;
  zipCode?: string;
}

function placeOf({ zipCode = "" }: Address): Address {
  const [city, state] = [cityOfCep(zipCode), stateOfCep(zipCode)];
  return { ...(city === "" ? {} : { city }), ...(state === "" ? {} : { state }) };
}

interface Policy {
  transferInterval?: string;
  weekday?: string;
  monthDay?: string;
}

function withDay({ weekday, monthDay, ...policy }: Policy): object {
  const day = { daily: "1", weekly: weekday, monthly: monthDay }[policy.transferInterval ?? ""];
  return day === undefined ? policy : { ...policy, transferDay: day };
}

/** The problem of each field, beside it; `problem` alone where no field of the form is to blame. */
async function refusal(
  issues: readonly Issue[],
  form: FormData,
  members: readonly TypedMember[],
  told: Readonly<Record<string, string>> = {},
): Promise<TaskState> {
  const [t, say] = [await getTranslations("sellers"), await unfitWords()];
  const problems: Record<string, string> = { ...told };
  for (const issue of issues) {
    const name = fieldAt(issue.path.join("."), members);
    const [, kind = "text"] = members.find(([path]) => path === name) ?? [];
    if (name) problems[name] ??= say(name, kind, issue, form);
  }
  return { problem: t("unfit"), problems, given: givenIn(form, members) };
}

/** What goes into the body beside what was typed, and what the caller found wrong with the form. */
interface Besides {
  more?: Record<string, unknown>;
  found?: { issues: readonly Issue[]; problems: Readonly<Record<string, string>> };
}

/** The work of a form that is only looked at. */
export const nothing = async (): Promise<TaskState> => ({});

/** Parses what was typed and does it; what is refused by its path stands beside its field. */
export async function withBody<S extends z.ZodType>(
  form: FormData,
  members: readonly TypedMember[],
  schema: S,
  { more = {}, found = { issues: [], problems: {} } }: Besides,
  work: (body: z.output<S>) => Promise<TaskState>,
): Promise<TaskState> {
  const body = completed(bodyOf(form, members, await getLocale()));
  const parsed = schema.safeParse({ ...body, ...more });
  const issues = [...(parsed.error?.issues ?? []), ...found.issues, ...brazilianIssues(body)];
  if (!parsed.success || issues.length + Object.keys(found.problems).length > 0)
    return refusal(issues, form, members, found.problems);
  try {
    return await work(parsed.data);
  } catch (thrown) {
    if (thrown instanceof RequestError && !(thrown instanceof DomainError) && thrown.status === 400) {
      const paths = (thrown.details ?? []).map((detail) => detail.split(":")[0] ?? "");
      const issues = paths.map((path): Issue => ({ code: "custom", path: path.split(".") }));
      if (paths.some((path) => fieldAt(path, members))) return refusal(issues, form, members);
    }
    if (thrown instanceof DomainError) {
      const t = await getTranslations("sellers");
      const words = {
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

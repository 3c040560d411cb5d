import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { lacksFactor, type OnAccount, type Person, personOf, senderOf } from "@/app/(dashboard)/operator-context";
import { CardNumberTyped, cardNumberTyped } from "@/app/(dashboard)/typed-text";
import type { TaskState } from "@/components/tasks/task-form";
import { sqlState } from "@/lib/context";
import { DomainError, RequestError } from "@/lib/errors";
import { may, type Right } from "@/lib/operators/permissions";
import { SamePerson } from "@/lib/operators/second-person";
import type { EndpointProblem } from "@/lib/webhooks/endpoint-rules";

/** Refusals that a person can act on, in words; others are named by their code. */
const PROBLEMS = {
  customer_already_exists: "customerExists",
  flow_changed: "flowChanged",
  flow_invalid: "flowInvalid",
  flow_not_draft: "flowNotDraft",
  provider_in_use: "providerInUse",
  merchant_in_use: "merchantInUse",
  provider_kind_not_available: "kindNotAvailable",
  sandbox_and_live_providers_mixed: "mixed",
  webhook_endpoint_not_allowed: "endpointNotAllowed",
  webhook_endpoint_already_exists: "endpointExists",
  webhook_disabled: "webhookDisabled",
  invalid_status_transition: "changedMeanwhile",
  purchase_invalid_state: "changed",
  session_disabled: "linkClosed",
  subscription_invalid_state: "subscriptionState",
} as const;

/** Why an endpoint is not allowed, as the rules of webhooks say it. */
const ENDPOINT_PROBLEMS = {
  "longer than 2048 characters": "endpointLong",
  "must not hold blanks, backslashes or control characters": "endpointUnread",
  "must be a URL": "endpointUnread",
  "must not name a user": "endpointUnread",
  "must be https": "endpointHttps",
  "must be http or https": "endpointScheme",
  "must have a name, not an address": "endpointName",
  "must be at a public or a private address": "endpointPrivate",
  "must be on a public domain": "endpointPrivate",
  "must be at a public address": "endpointPrivate",
  "the port is not allowed": "endpointPort",
  "must not be this installation": "endpointOwn",
} as const satisfies Record<EndpointProblem, string>;

/** What a kind of provider says of its credentials; anything else is of their form. */
const CREDENTIAL_PROBLEMS: Readonly<Record<string, "credentialLive" | "credentialMissing" | "credentialTest">> = {
  "is required": "credentialMissing",
  "is not of the test environment": "credentialTest",
  "is not of the live environment": "credentialLive",
};

const CERTIFICATE_ENDED = "credentials: the certificate ended";

/** Refusals of one field, by its name in every form that has it. */
const FIELDS: Partial<Record<string, string>> = {
  webhook_endpoint_not_allowed: "endpoint",
  webhook_endpoint_already_exists: "endpoint",
} satisfies Partial<Record<keyof typeof PROBLEMS, string>>;

/** Of PostgreSQL's errors, those about a text that is no uuid, number, moment or text of the column's. */
const UNFIT_VALUE = new Set(["22P02", "22003", "22007", "22008", "22021"]);

/**
 * What a form asks for: by a living session, from one of our own pages, by a person who may. `work` answers what the form
 * shows next, or redirects.
 */
export async function runTask(right: Right, work: (sender: OnAccount) => Promise<TaskState>): Promise<TaskState> {
  const t = await getTranslations("tasks");
  if (await lacksFactor()) return { problem: t("factorNeeded") };
  const sender = await senderOf();
  if (!sender) return { problem: t("session") };
  if (!may(sender.role, right)) notFound();
  return inWords(() => work(sender));
}

/** What a person does about themselves, whatever their role and with or without an account. */
export async function runOwnTask(work: (person: Person) => Promise<TaskState>): Promise<TaskState> {
  if (await lacksFactor()) return { problem: (await getTranslations("tasks"))("factorNeeded") };
  return runAccessTask(work);
}

/** What they do to their own access: open to somebody whose second factor is still to come. */
export async function runAccessTask(work: (person: Person) => Promise<TaskState>): Promise<TaskState> {
  const person = await personOf();
  if (!person) return { problem: (await getTranslations("tasks"))("session") };
  return inWords(() => work(person));
}

/** Beside the fields that are to blame; an ended certificate is more than one of them. */
async function unfitCredentials(details: readonly string[]): Promise<TaskState> {
  const t = await getTranslations("tasks");
  const problems = details.flatMap((detail) => {
    const [, name, what = ""] = /^credentials\.(\w+): (.*)$/.exec(detail) ?? [];
    return name ? [[`credential.${name}`, t(CREDENTIAL_PROBLEMS[what] ?? "credentialForm")] as const] : [];
  });
  if (problems.length > 0) return { problem: t("credentialsInvalid"), problems: Object.fromEntries(problems) };
  const isEnded = details.some((detail) => detail.startsWith(CERTIFICATE_ENDED));
  return { problem: t(isEnded ? "certificateEnded" : "credentialsUnfit") };
}

async function inWords(work: () => Promise<TaskState>): Promise<TaskState> {
  const t = await getTranslations("tasks");
  try {
    return await work();
  } catch (thrown) {
    if (thrown instanceof DomainError) {
      const code = thrown.businessCode;
      const details = (thrown.details ?? []).join("; ");
      const endpoint = Object.entries(ENDPOINT_PROBLEMS).find(([said]) => details === `endpoint: ${said}`)?.[1];
      if (endpoint) return { problems: { endpoint: t(endpoint) } };
      if (code === "provider_credentials_invalid") return unfitCredentials(thrown.details ?? []);
      // Guarantee: looked up only where the key exists.
      const problem = Object.hasOwn(PROBLEMS, code)
        ? t(PROBLEMS[code as keyof typeof PROBLEMS], { details })
        : undefined;
      const field = FIELDS[code];
      if (problem) return field ? { problems: { [field]: problem } } : { problem };
      if (code.endsWith("_not_found")) return { problem: t("gone") };
      return { problem: t("refused", { code }) };
    }
    if (thrown instanceof RequestError) {
      if (thrown.status === 404) notFound();
      return { problem: t("invalid", { details: (thrown.details ?? [thrown.message]).join("; ") }) };
    }
    if (thrown instanceof CardNumberTyped) return cardNumberTyped(thrown);
    if (thrown instanceof SamePerson) return { problem: t("samePerson") };
    // A form of ours always sends ids; without one, or with another text for it, nothing can be looked up.
    if (UNFIT_VALUE.has(sqlState(thrown) ?? "")) return { problem: t("incomplete") };
    throw thrown;
  }
}

/** A second person's word on what a colleague may have ended since the page was shown. */
export async function unlessOver(work: () => Promise<TaskState>): Promise<TaskState> {
  try {
    return await work();
  } catch (thrown) {
    if (!(thrown instanceof RequestError && thrown.status === 404)) throw thrown;
    return { problem: (await getTranslations("tasks"))("changedMeanwhile") };
  }
}

export { textOf } from "@/app/(dashboard)/typed-text";

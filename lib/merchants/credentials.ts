import type { Account } from "@/lib/context";
import { env } from "@/lib/env";
import { DomainError } from "@/lib/errors";
import {
  checkCredentials,
  isPaymentKind,
  isRoutable,
  isSimulatedKind,
  type RegistrableKind,
  registrableKind,
} from "@/lib/providers/kinds";
import type { Problems } from "@/lib/providers/provider";
import { providerFor } from "@/lib/providers/registry";
import { MASK } from "@/lib/providers/secret";

/** Credentials that fit their kind and this account: what is encrypted, and what is shown of it. */
export interface AcceptedCredentials {
  kind: RegistrableKind;
  /** Every member besides `type`, the environment included. */
  members: Record<string, string>;
}

export function acceptCredentials(account: Account, given: Record<string, unknown>): AcceptedCredentials {
  const kind = registrableKind(given.type);
  if (kind && isSimulatedKind(kind) && !env().SANDBOX_ENABLED)
    throw unfit(["credentials.type: is not a provider kind"]);
  const checked = checkCredentials(given.type, given);
  if (!checked.ok) throw unfit(problemLines(checked.errors));
  const { type, environment, fields } = checked.value;
  const problems = unusable(type, environment ? { ...fields, environment } : fields);
  if (problems.length > 0) throw unfit(problemLines(problems));
  refuseMixed(account, type, environment);
  return { kind: type, members: environment ? { ...fields, environment } : fields };
}

/** What the kind's own adapter finds without a call, such as a certificate that has expired. */
function unusable(kind: RegistrableKind, members: Record<string, string>): Problems {
  if (!isPaymentKind(kind) || !isRoutable(kind)) return [];
  const checked = providerFor(kind).validateCredentials(members);
  return checked.ok ? [] : checked.errors;
}

/** The stored kind stays, and a member sent back as asterisks keeps its stored value. */
export function changeCredentials(
  account: Account,
  stored: AcceptedCredentials,
  given: Record<string, unknown>,
): AcceptedCredentials {
  if (registrableKind(given.type) !== stored.kind) throw unfit([`credentials.type: must stay ${stored.kind}`]);
  const unmasked = Object.entries(given).map(([name, value]): [string, unknown] => {
    if (value !== MASK || name === "type") return [name, value];
    if (!Object.hasOwn(stored.members, name)) throw unfit([`credentials.${name}: has no stored value to keep`]);
    return [name, stored.members[name]];
  });
  return acceptCredentials(account, Object.fromEntries(unmasked));
}

/** A live charge is never simulated and a test never reaches an acquirer (spec/contract.md 1.6). */
function refuseMixed(account: Account, kind: RegistrableKind, environment: "test" | undefined): void {
  const isTest = environment === "test" || isSimulatedKind(kind);
  if (isTest === (account.mode === "sandbox")) return;
  throw new DomainError(
    "sandbox_and_live_providers_mixed",
    isTest ? "a live account takes live credentials only" : "a sandbox account takes test credentials only",
    { details: [kind] },
  );
}

export const problemLines = (problems: Problems): string[] =>
  problems.map(({ field, message }) => `${field}: ${message}`);

const unfit = (details: string[]): DomainError =>
  new DomainError("provider_credentials_invalid", "the credentials do not fit the provider kind", { details });

/** What an answer shows: the type as it is, everything else as asterisks. */
export const shownCredentials = (kind: string, members: readonly string[]): Record<string, string> => ({
  type: kind,
  ...Object.fromEntries(members.map((name) => [name, MASK])),
});

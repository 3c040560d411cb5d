import { ANTIFRAUD_KINDS, kindRow, PAYMENT_KINDS, type RegistrableKind, registrableKind } from "@/lib/providers/kinds";

export const isRegistrable = (kind: string): kind is RegistrableKind => registrableKind(kind) === kind;

export interface MemberRule {
  name: string;
  isRequired: boolean;
  values: readonly string[];
}

type Shape = Readonly<Record<string, { required?: boolean; onlyLive?: boolean; values?: readonly string[] }>>;

/** What a form asks for to connect a provider of a kind, to its test host or to the live one. */
export function membersOf(kind: RegistrableKind, side: "live" | "test"): MemberRule[] {
  const shape: Shape = kindRow(kind).credentials;
  return Object.entries(shape).map(([name, field]) => ({
    name,
    isRequired: field.required === true && !(field.onlyLive && side === "test"),
    values: field.values ?? [],
  }));
}

export const memberNames = (kind: RegistrableKind): string[] => Object.keys(kindRow(kind).credentials);

/** Kinds that can be paid through, or that analyze payments; those that this installation reaches first. */
export const KINDS_TO_CONNECT: readonly { kind: RegistrableKind; isReachable: boolean }[] =
  // Object.keys of the literal gives exactly its keys.
  (Object.keys({ ...PAYMENT_KINDS, ...ANTIFRAUD_KINDS }) as RegistrableKind[])
    .map((kind) => ({ kind, isReachable: kindRow(kind).adapter !== null }))
    .sort((a, b) => Number(b.isReachable) - Number(a.isReachable) || a.kind.localeCompare(b.kind));

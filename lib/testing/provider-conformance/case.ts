import type { Capabilities } from "@/lib/providers/provider";
import type { Rig } from "@/lib/testing/provider-conformance/rig";

type Lacking =
  | "batches"
  | "datedSignatures"
  | "documents"
  | "earlyPayments"
  | "idBeforeMoney"
  | "lateSlips"
  | "networkCodes"
  | "networkIdOfFirst"
  | "newsReference"
  | "oldKeys"
  | "openNews"
  | "partialDisputes"
  | "refundList"
  | "refundReferences"
  | "shownCodes"
  | "statement"
  | "surplusPix"
  | "wonDisputes";

/** What a kind does that no capability names. */
export interface Traits {
  /** 2: a live one and a test one; the rig's live host does not answer. */
  hosts: 1 | 2;
  /** A payment waits to be told that its challenge is over. */
  continues: boolean;
  /** The most that one payment may be of; any safe number of cents without it. */
  mostCents?: number;
  /** What the provider does not have, and why. */
  lacks?: Partial<Record<Lacking, string>>;
}

/** Of those whose settlement no call of the adapter reads. */
export const UPLOADED = {
  statement: "its statements are files, which are uploaded",
  earlyPayments: "it is asked to pay early in its own panel alone",
} as const;

export interface Case {
  number: number;
  title: string;
  /** Why a provider with these capabilities does not run it. */
  notApplicable?: (capabilities: Capabilities, traits: Traits) => string | undefined;
  run(rig: Rig, traits: Traits): Promise<void>;
}

type Condition = (capabilities: Capabilities) => string | undefined;

/** Without keys nothing is ever sent a second time: what became of the first is asked. */
export const needsKeys: Condition = ({ idempotency }) =>
  idempotency.kind === "none" ? "no keys: nothing is sent twice" : undefined;
export const needsCard: Condition = ({ card }) => (card ? undefined : "takes no cards");
export const needsPix: Condition = ({ pix }) => (pix ? undefined : "takes no Pix");
export const needsBoleto: Condition = ({ boleto }) => (boleto ? undefined : "takes no boletos");
export const needsSplit: Condition = ({ split }) => (split ? undefined : "does not split");
export const all =
  (...conditions: Condition[]): Condition =>
  (capabilities) =>
    conditions.map((condition) => condition(capabilities)).find((reason) => reason !== undefined);

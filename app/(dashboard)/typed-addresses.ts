import { getTranslations } from "next-intl/server";
import { addressesIn, MOST_ADDRESSES } from "@/lib/addresses";

type Problem = { kind: "unknown"; text: string } | { kind: "too_many" };
type Typed = { addresses: string[] } | { problem: Problem; given: { addresses: string } };

/** A list as people type it; what was not understood is named. */
export function readAddresses(text: string): Typed {
  const { addresses, unknown } = addressesIn(text);
  const [first] = unknown;
  if (first !== undefined) return { problem: { kind: "unknown", text: first }, given: { addresses: text } };
  if (addresses.length > MOST_ADDRESSES) return { problem: { kind: "too_many" }, given: { addresses: text } };
  return { addresses };
}

const SHOWN_CHARS = 50;

export async function addressProblem(problem: Problem): Promise<string> {
  const t = await getTranslations("addresses");
  return problem.kind === "too_many"
    ? t("tooMany", { most: MOST_ADDRESSES })
    : t("unknown", { text: problem.text.slice(0, SHOWN_CHARS) });
}

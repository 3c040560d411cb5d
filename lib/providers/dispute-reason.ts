const LONGEST = 200;

/**
 * What a provider wrote, on one line and not at length: without the invisible characters that turn it around or hide a part
 * of it, and those that the database refuses.
 */
export function shownReason(told: string | undefined): string | undefined {
  const line = (told ?? "")
    .replace(/[\p{Cc}\s]+/gu, " ")
    .replace(/\p{C}/gu, "")
    .replace(/ +/g, " ")
    .trim();
  return line === "" ? undefined : [...line].slice(0, LONGEST).join("").trimEnd();
}

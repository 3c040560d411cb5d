/** The row that a list was left by, until the list is there again. */
interface LeftRow {
  path: string;
  href: string;
}

const PLACE = "trilho.row";

export function rememberRow(path: string, href: string): void {
  try {
    sessionStorage.setItem(PLACE, JSON.stringify({ path, href } satisfies LeftRow));
  } catch {
    // A browser that keeps nothing begins at the first row.
  }
}

/** Told once: who only reloads the list stays where the page stands. */
export function takeRow(path: string): string | undefined {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(PLACE) ?? "null");
    sessionStorage.removeItem(PLACE);
    if (typeof kept !== "object" || kept === null || !("path" in kept) || !("href" in kept)) return undefined;
    return kept.path === path && typeof kept.href === "string" ? kept.href : undefined;
  } catch {
    return undefined;
  }
}

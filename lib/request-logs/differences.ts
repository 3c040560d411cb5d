/** One member that two requests do not share: its path, and what each of them has there as text. */
export interface DocumentDifference {
  path: string;
  one: string | undefined;
  other: string | undefined;
}

/** What differs between two values of JSON, member by member, in the order of their paths. */
export function documentDifferencesOf(one: unknown, other: unknown): DocumentDifference[] {
  const [left, right] = [leavesOf(one), leavesOf(other)];
  return [...new Set([...left.keys(), ...right.keys()])]
    .sort()
    .map((path) => ({ path, one: left.get(path), other: right.get(path) }))
    .filter((each) => each.one !== each.other);
}

function leavesOf(value: unknown, path = "", found = new Map<string, string>()): Map<string, string> {
  if (typeof value === "object" && value !== null && Object.keys(value).length > 0) {
    for (const [name, inner] of Object.entries(value)) {
      leavesOf(inner, Array.isArray(value) ? `${path}[${name}]` : path === "" ? name : `${path}.${name}`, found);
    }
  } else if (value !== undefined) found.set(path, JSON.stringify(value));
  return found;
}

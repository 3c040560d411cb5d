/** Search parameters as Next gives them: once, several times or not at all. */
export type GivenParameters = Record<string, string | string[] | undefined>;

/** The one sign that PostgreSQL takes in no text; nobody types it. */
const withoutNul = (value: string): string => value.replaceAll("\0", "");

/** Those of an address that is no page. */
export function givenIn(request: Request): GivenParameters {
  const { searchParams } = new URL(request.url);
  const given: GivenParameters = {};
  for (const name of new Set(searchParams.keys())) given[name] = searchParams.getAll(name);
  return given;
}

export const oneOf = (given: GivenParameters, name: string): string | undefined =>
  severalOf(given, name)[0]?.trim() || undefined;

export const severalOf = (given: GivenParameters, name: string): string[] => {
  const value = given[name];
  return (value === undefined ? [] : Array.isArray(value) ? value : [value]).map(withoutNul);
};

/** The same address with some parameters changed; the state of a list is its address. */
export function withParameters(
  path: string,
  given: GivenParameters,
  changes: Record<string, string | undefined>,
): string {
  const kept = new URLSearchParams();
  for (const [name, value] of Object.entries(given)) {
    if (name in changes) continue;
    for (const each of Array.isArray(value) ? value : [value]) if (each) kept.append(name, each);
  }
  for (const [name, value] of Object.entries(changes)) if (value) kept.append(name, value);
  const text = kept.toString();
  return text ? `${path}?${text}` : path;
}

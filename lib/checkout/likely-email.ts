/** Where most people of Brazil have their mail; what comes first is likelier. */
const DOMAINS = (
  "gmail.com hotmail.com outlook.com yahoo.com.br yahoo.com icloud.com hotmail.com.br outlook.com.br uol.com.br " +
  "bol.com.br terra.com.br live.com globo.com ig.com.br oi.com.br"
).split(" ");
/** As near as a slip to one of the above, and right all the same. */
const RIGHT = /^(y|e)?mail\.com$|\.com\.(ar|mx|co|pe|au)$/;
/** Two slips of a short name may be another name. */
const LEAST_FOR_TWO = 9;

/** The address that was likely meant, where its domain is a slip away from a well-known one; empty otherwise. */
export function likelyEmail(typed: string): string {
  const [, name = "", domain = ""] = /^([^\s@•]+)@([^\s@]+\.[^\s@]+)$/.exec(typed.trim()) ?? [];
  const written = domain.toLowerCase();
  if (name === "" || DOMAINS.includes(written) || RIGHT.test(written)) return "";
  const most = written.length < LEAST_FOR_TWO ? 1 : 2;
  const meant = DOMAINS.map((each) => [each, written === `${each}.br` ? 1 : slips(written, each)] as const)
    .filter(([, count]) => count <= most)
    .sort(([, one], [, other]) => one - other)[0];
  return meant ? `${name}@${meant[0]}` : "";
}

/** Letters left out, added, mistaken or swapped with the next. */
function slips(one: string, other: string): number {
  const rows = [[...other, ""].map((_, index) => index)];
  for (let row = 1; row <= one.length; row++) {
    const line = [row];
    for (let at = 1; at <= other.length; at++) {
      const isSame = one[row - 1] === other[at - 1];
      const isSwapped = row > 1 && at > 1 && one[row - 1] === other[at - 2] && one[row - 2] === other[at - 1];
      const up = rows[row - 1] ?? [];
      line[at] = Math.min(
        (line[at - 1] ?? 0) + 1,
        (up[at] ?? 0) + 1,
        (up[at - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (rows[row - 2]?.[at - 2] ?? 0) + 1 : row + at,
      );
    }
    rows.push(line);
  }
  return rows[one.length]?.[other.length] ?? 0;
}

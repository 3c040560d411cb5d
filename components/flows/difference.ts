import type { Line } from "@/components/flows/lines";

export interface Compared {
  key: string;
  before: Line | undefined;
  after: Line | undefined;
}

const isSame = (a: Line, b: Line): boolean => a.text === b.text && a.depth === b.depth;

/** Two versions line by line, by their longest common run of lines: what only one of them has stands alone. */
export function compared(before: readonly Line[], after: readonly Line[]): Compared[] {
  const common: number[][] = Array.from({ length: before.length + 1 }, () => Array(after.length + 1).fill(0));
  const at = (i: number, j: number): number => common[i]?.[j] ?? 0;
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      const [one, other] = [before[i], after[j]];
      const row = common[i];
      if (!row || !one || !other) continue;
      row[j] = isSame(one, other) ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const rows: Compared[] = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    const [one, other] = [before[i], after[j]];
    const key = `${i} ${j}`;
    if (one && other && isSame(one, other)) {
      rows.push({ key, before: one, after: other });
      i += 1;
      j += 1;
    } else if (one && (!other || at(i + 1, j) >= at(i, j + 1))) {
      rows.push({ key, before: one, after: undefined });
      i += 1;
    } else {
      rows.push({ key, before: undefined, after: other });
      j += 1;
    }
  }
  return paired(rows);
}

/** What was taken away and what came in its place stand beside each other. */
function paired(rows: readonly Compared[]): Compared[] {
  const shown: Compared[] = [];
  for (const row of rows) {
    const waiting = row.before ? undefined : shown.find((one, place) => !one.after && isRun(shown, place));
    if (waiting) waiting.after = row.after;
    else shown.push({ ...row });
  }
  return shown;
}

/** From here to the end nothing is in both versions. */
const isRun = (rows: readonly Compared[], from: number): boolean =>
  rows.slice(from).every(({ before, after }) => !before || !after || !isSame(before, after));

/** Bank days by another way of reckoning than the product's: nothing here is shared with what it judges. */
export type Day = string;

const DAY_MS = 86_400_000;

const utcOf = (day: Day): number =>
  Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)) - 1, Number(day.slice(8)));
export const plus = (day: Day, days: number): Day => new Date(utcOf(day) + days * DAY_MS).toISOString().slice(0, 10);
export const daysFrom = (from: Day, to: Day): number => Math.round((utcOf(to) - utcOf(from)) / DAY_MS);
/** 0 is Sunday. */
export const weekdayOf = (day: Day): number => new Date(utcOf(day)).getUTCDay();

/** Gauss. */
function easterOf(year: number): Day {
  const [a, b, c] = [year % 19, year % 4, year % 7];
  const century = Math.floor(year / 100);
  const m = (15 - Math.floor((13 + 8 * century) / 25) + century - Math.floor(century / 4)) % 30;
  const n = (4 + century - Math.floor(century / 4)) % 7;
  const d = (19 * a + m) % 30;
  const e = (2 * b + 4 * c + 6 * d + n) % 7;
  const isLate = (d === 29 && e === 6) || (d === 28 && e === 6 && a > 10);
  return plus(`${year}-03-22`, d + e - (isLate ? 7 : 0));
}

const closed = new Map<number, ReadonlySet<Day>>();

/** spec/brazil.md section 5. */
function closedIn(year: number): ReadonlySet<Day> {
  const known = closed.get(year);
  if (known) return known;
  const easter = easterOf(year);
  const fixed = ["01-01", "04-21", "05-01", "09-07", "10-12", "11-02", "11-15", "11-20", "12-25"];
  const days = new Set([
    ...fixed.map((date) => `${year}-${date}`),
    plus(easter, -48),
    plus(easter, -47),
    plus(easter, -2),
    plus(easter, 60),
  ]);
  closed.set(year, days);
  return days;
}

export const isOpen = (day: Day): boolean => weekdayOf(day) % 6 !== 0 && !closedIn(Number(day.slice(0, 4))).has(day);

/** The first on which banks are open, of this one and those after it. */
export const onOrAfter = (day: Day): Day => (isOpen(day) ? day : onOrAfter(plus(day, 1)));
export const after = (day: Day): Day => onOrAfter(plus(day, 1));

/** Days that are settled on this one: itself, and the closed ones before it. */
export function rolledTo(day: Day): Day[] {
  const days = [day];
  for (let before = plus(day, -1); !isOpen(before); before = plus(before, -1)) days.push(before);
  return days;
}

export const isLastOfMonth = (day: Day): boolean => plus(day, 1).slice(5, 7) !== day.slice(5, 7);

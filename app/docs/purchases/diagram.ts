import type { OperationStatus, PurchaseStatus, SlotStatus } from "@/db/schema/purchases";
import type { Machine } from "@/lib/machine";

/** Where each state stands, in columns and rows; the type asks for every one of them. */
type Places<State extends string> = Readonly<Record<State, readonly [column: number, row: number]>>;

export const SLOT_PLACES: Places<SlotStatus> = {
  canceled: [0, 0],
  pending: [0, 1.5],
  failed: [0, 3],
  processing: [1, 1.5],
  undetermined: [1, 3],
  pre_authorized: [2.1, 0],
  authorized: [2.1, 3],
  voided: [3.1, 1.5],
  charged_back: [3.1, 3],
};

export const OPERATION_PLACES: Places<OperationStatus> = {
  pending: [0, 0],
  processing: [1, 0],
  completed: [2, 0],
  failed: [2, 1],
};

export const PURCHASE_PLACES: Places<PurchaseStatus> = {
  pending: [0, 0],
  paid: [1.3, 0],
  cancelled: [1.3, 1],
  failed: [0, 1],
};

const COLUMN = 270;
const ROW = 130;
const BOX = { width: 150, height: 46 };
const MARGIN = 70;
/** Two lines between the same states lie this far beside each other. */
const APART = 13;
const ARROW_GAP = 5;
const LABEL = { perCharacter: 7.2, height: 20 };
/** Where along a line of some length its label lies. */
const LABEL_PLACES = [
  { upTo: 180, place: 0.5 },
  { upTo: 380, place: 0.36 },
  { upTo: Number.POSITIVE_INFINITY, place: 0.8 },
];
const LOOP = { width: 26, height: 34 };

interface Point {
  x: number;
  y: number;
}

interface Line<State> {
  from: State;
  to: State;
  rows: string[];
}

/** A picture of a machine, made from its rows alone: a line between two states names the rows that lead along it. */
export function diagramOf<State extends string>(machine: Machine<State>, places: Places<State>, label: string): string {
  const lines = linesOf(machine);
  const points = new Map<State, Point>();
  for (const state of statesOf(places)) {
    const [column, row] = places[state];
    points.set(state, { x: MARGIN + BOX.width / 2 + column * COLUMN, y: MARGIN + row * ROW });
  }
  const all = [...points.values()];
  const width = Math.max(...all.map(({ x }) => x)) + BOX.width / 2 + MARGIN;
  const height = Math.max(...all.map(({ y }) => y)) + BOX.height / 2 + MARGIN / 2;
  const id = machine.name.replaceAll(" ", "-");
  const drawn = lines.map((line) => drawLine(line, lines, points, id));
  const ends = new Set(
    statesOf(places).filter((state) => !machine.rows.some(([, from, , to]) => from === state && to !== state)),
  );
  const boxes = [...points].map(([state, at]) => drawState(state, at, ends.has(state)));
  return `<svg class="diagram" viewBox="0 0 ${width} ${height}" style="min-width:${Math.round(width * 0.72)}px;max-width:${width}px" role="img" aria-label="${label}">
<defs><marker id="${id}-arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto-start-reverse"><path d="M0 0 8 4 0 8z"/></marker></defs>
${drawn.map(({ path }) => path).join("\n")}
${drawn.map(({ text }) => text).join("\n")}
${boxes.join("\n")}
</svg>`;
}

/** Guarantee: the keys of a table of places are its states. */
const statesOf = <State extends string>(places: Places<State>): State[] => Object.keys(places) as State[];

function linesOf<State extends string>({ rows }: Machine<State>): Line<State>[] {
  const lines: Line<State>[] = [];
  for (const [id, from, , to] of rows) {
    const known = lines.find((line) => line.from === from && line.to === to);
    if (!known) lines.push({ from, to, rows: [id] });
    else if (!known.rows.includes(id)) known.rows.push(id);
  }
  return lines;
}

const round = (value: number): number => Math.round(value * 10) / 10;

function drawLine<State extends string>(
  line: Line<State>,
  lines: readonly Line<State>[],
  points: ReadonlyMap<State, Point>,
  id: string,
): { path: string; text: string } {
  const from = points.get(line.from);
  const to = points.get(line.to);
  if (!from || !to) throw new Error("a row between states without a place");
  const words = line.rows.join(" ");
  const arrow = `marker-end="url(#${id}-arrow)"`;
  if (line.from === line.to) {
    const top = from.y - BOX.height / 2;
    const path = `<path class="line" d="M${from.x - LOOP.width} ${top}C${from.x - LOOP.width} ${top - LOOP.height} ${from.x + LOOP.width} ${top - LOOP.height} ${from.x + LOOP.width} ${top - ARROW_GAP}" ${arrow}/>`;
    return { path, text: labelAt({ x: from.x, y: top - LOOP.height + 4 }, words) };
  }
  const hasReverse = lines.some((other) => other.from === line.to && other.to === line.from);
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const along = { x: (to.x - from.x) / length, y: (to.y - from.y) / length };
  const shift = hasReverse ? APART : 0;
  const side = { x: -along.y * shift, y: along.x * shift };
  const begin = edgeOf({ x: from.x + side.x, y: from.y + side.y }, from, along, 0);
  const end = edgeOf({ x: to.x + side.x, y: to.y + side.y }, to, { x: -along.x, y: -along.y }, ARROW_GAP);
  // Near one end: labels of lines that cross in the middle stay apart.
  const drawn = Math.hypot(end.x - begin.x, end.y - begin.y);
  const place = LABEL_PLACES.find(({ upTo }) => drawn < upTo)?.place ?? 0.5;
  const middle = { x: begin.x + (end.x - begin.x) * place, y: begin.y + (end.y - begin.y) * place };
  return {
    path: `<path class="line" d="M${round(begin.x)} ${round(begin.y)}L${round(end.x)} ${round(end.y)}" ${arrow}/>`,
    text: labelAt(hasReverse ? { x: middle.x + side.x * 0.9, y: middle.y + side.y * 0.9 } : middle, words),
  };
}

/** Where a line that starts at a point inside a box leaves it. */
function edgeOf(start: Point, centre: Point, along: Point, gap: number): Point {
  const far = (way: number, at: number, middle: number, half: number): number =>
    way === 0 ? Number.POSITIVE_INFINITY : ((way > 0 ? middle + half : middle - half) - at) / way;
  const distance =
    Math.min(far(along.x, start.x, centre.x, BOX.width / 2), far(along.y, start.y, centre.y, BOX.height / 2)) + gap;
  return { x: start.x + along.x * distance, y: start.y + along.y * distance };
}

function labelAt({ x, y }: Point, words: string): string {
  const width = words.length * LABEL.perCharacter + 10;
  return `<g class="label"><rect x="${round(x - width / 2)}" y="${round(y - LABEL.height / 2)}" width="${round(width)}" height="${LABEL.height}" rx="5"/><text x="${round(x)}" y="${round(y + 4)}">${words}</text></g>`;
}

function drawState(state: string, { x, y }: Point, isEnd: boolean): string {
  return `<g class="state${isEnd ? " end" : ""}"><rect x="${x - BOX.width / 2}" y="${y - BOX.height / 2}" width="${BOX.width}" height="${BOX.height}" rx="10"/><text x="${x}" y="${y + 5}">${state}</text></g>`;
}

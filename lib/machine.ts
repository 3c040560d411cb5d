export type TransitionRow<State extends string> = readonly [id: string, from: State, fact: string, to: State];

export interface Machine<State extends string> {
  readonly name: string;
  readonly rows: readonly TransitionRow<State>[];
  can(from: State, fact: string): boolean;
  /** The state a fact leads to. A fact that has no row here is a bug of ours, not a refusal. */
  next(from: State, fact: string): State;
  /** The same with the name of its row. */
  row(from: State, fact: string): TransitionRow<State>;
}

/** A state machine is data: the guard, the database trigger and the published page are all read from the same rows. */
export function defineMachine<State extends string>(
  name: string,
  rows: readonly TransitionRow<State>[],
): Machine<State> {
  const table = new Map(rows.map((row) => [`${row[1]} ${row[2]}`, row]));
  if (table.size !== rows.length) throw new Error(`${name}: two rows for one fact`);
  const rowOf = (from: State, fact: string): TransitionRow<State> => {
    const row = table.get(`${from} ${fact}`);
    if (!row) throw new Error(`${name}: ${fact} is not a row of ${from}`);
    return row;
  };
  return {
    name,
    rows,
    can: (from, fact) => table.has(`${from} ${fact}`),
    next: (from, fact) => rowOf(from, fact)[3],
    row: rowOf,
  };
}

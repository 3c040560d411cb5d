export interface Answer {
  problem?: string;
  /** Beside their fields. */
  problems?: Readonly<Record<string, string>>;
}

/**
 * What the browser refuses of a form's fields, with what the server finds besides. Of one field the browser's word stands:
 * it may have sent nothing of what was typed there.
 */
export const toldTogether = (fields: Readonly<Record<string, string>>, found: Answer = {}): Answer => ({
  problem: found.problem ?? "",
  problems: { ...found.problems, ...fields },
});

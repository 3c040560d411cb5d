/** What a value becomes when it is written as JSON and read back: the only thing a later run of the handler sees. */
export type Jsonified<T> = unknown extends T
  ? T
  : T extends string | number | boolean | null
    ? T
    : // biome-ignore lint/suspicious/noConfusingVoidType: a step whose work returns nothing is of this type
      T extends undefined | void
      ? null
      : T extends { toJSON(): infer Plain }
        ? Jsonified<Plain>
        : T extends object
          ? { [Key in keyof T]: JsonifiedProperty<T[Key]> }
          : never;

/** A property that is undefined is left out, not null. */
type JsonifiedProperty<T> = undefined extends T ? Jsonified<Exclude<T, undefined>> | undefined : Jsonified<T>;

/** Larger results belong into a table or a file, with their id as the result. */
const MAX_RESULT_CHARACTERS = 1_000_000;

export function encode(value: unknown): string {
  const text = JSON.stringify(value) ?? "null";
  if (text.length > MAX_RESULT_CHARACTERS) {
    throw new Error(
      `A result of ${text.length} characters is too large to be kept; the limit is ${MAX_RESULT_CHARACTERS}`,
    );
  }
  return text;
}

export const decode = (text: string): unknown => JSON.parse(text);

import type { Field } from "@/lib/payouts/cnab240/layout";

export type RecordValues = Readonly<Record<string, string | number>>;

/** What has no place in its field: a remittance with a shortened number would pay somebody else. */
export class Unfit extends Error {}

/** One record, without its line end. Names and messages are cut to their fields; numbers never are. */
export const writeRecord = (fields: readonly Field[], values: RecordValues): string =>
  fields.map((field) => writeField(field, field.always ?? values[field.name] ?? "")).join("");

function writeField({ name, from, to, kind }: Field, value: string | number): string {
  const length = to - from + 1;
  const written = String(value);
  if (kind === "text") return plain(written).slice(0, length).padEnd(length, " ");
  if (!/^\d*$/.test(written) || written.length > length) throw new Unfit(name);
  return written.padStart(length, "0");
}

/** Banks read capitals without accents. */
const plain = (text: string): string =>
  text
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .replace(/[^\x20-\x7e]/g, " ");

/** The texts of a record by the names of its fields, without the spaces around them. */
export const readRecord = (fields: readonly Field[], line: string): Record<string, string> =>
  Object.fromEntries(fields.map(({ name, from, to }) => [name, line.slice(from - 1, to).trim()]));

/** Something the caller can mend: said without a stack. */
export class CommandError extends Error {}

export const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};
export const complain = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

const isColoured = process.stdout.isTTY && process.env.NO_COLOR === undefined;
const coloured =
  (code: number) =>
  (text: string): string =>
    isColoured ? `\u001b[${code}m${text}\u001b[0m` : text;

export const green = coloured(32);
export const red = coloured(31);
export const yellow = coloured(33);
export const dim = coloured(2);

const FIRST_FAILURE = 400;
const FIRST_REDIRECT = 300;

export const statusText = (status: number): string => {
  if (status >= FIRST_FAILURE) return red(String(status));
  return status >= FIRST_REDIRECT ? yellow(String(status)) : green(String(status));
};

/** `14:03:07` of an instant as the API writes it, in the zone of this machine. */
export const clockOf = (at: string): string => new Date(at).toLocaleTimeString("en-GB");

export const columns = (...cells: readonly (readonly [text: string, width: number])[]): string =>
  cells.map(([text, width]) => text.padEnd(width)).join("  ");

/** Bytes, and what is said beside a field that has more. */
export interface FileLimits {
  each: number;
  together: number;
  texts: { above: string; each: string; together: string };
}

/** Each file that is too large; where only all of them together are, the largest. */
export function tooLarge(form: FormData, { each, together, texts }: FileLimits): Record<string, string> | undefined {
  const files = [...form].flatMap(([name, value]) => (value instanceof File ? [{ name, size: value.size }] : []));
  const large = files.filter(({ size }) => size > each);
  if (large.length > 0) return Object.fromEntries(large.map(({ name }) => [name, texts.each]));
  const [largest] = files.toSorted((one, other) => other.size - one.size);
  const all = files.reduce((sum, { size }) => sum + size, 0);
  return largest && all > together ? { [largest.name]: texts.together } : undefined;
}

/** Bytes, and what is said beside a field that has more. */
export interface FileLimits {
  each: number;
  together: number;
  texts: { above: string; each: string; photo: string; together: string };
}

const PHOTO_NAME = /\.hei[cf]$/i;
/** Not every browser knows what phones make of their photos. */
export const isPhoto = ({ type, name }: Pick<File, "type" | "name">): boolean =>
  type === "" ? PHOTO_NAME.test(name) : type.startsWith("image/");

/** Each file that is too large; where only all of them together are, the largest. */
export function tooLarge(form: FormData, { each, together, texts }: FileLimits): Record<string, string> | undefined {
  const files = [...form].flatMap(([name, file]) => (file instanceof File ? [{ name, file, size: file.size }] : []));
  const large = files.filter(({ size }) => size > each);
  if (large.length > 0)
    return Object.fromEntries(large.map(({ name, file }) => [name, isPhoto(file) ? texts.photo : texts.each]));
  const [largest] = files.toSorted((one, other) => other.size - one.size);
  const all = files.reduce((sum, { size }) => sum + size, 0);
  return largest && all > together ? { [largest.name]: texts.together } : undefined;
}

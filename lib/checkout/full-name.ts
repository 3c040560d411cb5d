/** A first and a last name at the least; an initial will do. */
export const isFullName = (name: string): boolean =>
  name
    .trim()
    .split(/\s+/)
    .filter((word) => /\p{L}/u.test(word)).length > 1;

const SHOWN = 2;
const HIDDEN = "•••";

/** Enough to know one's own address again, and no more: `an•••@example.com`. */
export function maskedEmail(email: string): string {
  const at = email.lastIndexOf("@");
  return `${email.slice(0, Math.min(SHOWN, Math.max(at - 1, 0)))}${HIDDEN}${email.slice(at)}`;
}

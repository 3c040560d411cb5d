import type { FrameControl } from "@/components/ui/asked-for";

/** A page, or something to do on one. */
export interface SearchPlace {
  href: string;
  text: string;
  /** Other words for it. */
  also?: string;
  /** Only while a payment is looked at, whose address takes the place of {here}, or only elsewhere. */
  isOfPayment?: boolean;
  /** Something of the frame that is asked for instead of an address. */
  control?: FrameControl;
}

const MOST_PLACES = 6;
const PAYMENT_PAGE = /^\/dashboard\/payments\/[0-9a-f-]{36}$/;
const plain = (text: string) => text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();

/** People type one or many of a thing. */
const LONGEST_ENDED = 3;
const singular = (word: string): string => (word.length > LONGEST_ENDED ? word.replace(/s$/, "") : word);

/** Those whose words hold every word that was typed, as they are called on the page at `path`. */
export function placesMeant(pages: readonly SearchPlace[], typed: string, path: string): SearchPlace[] {
  const asked = plain(typed).split(/\s+/).filter(Boolean).map(singular);
  if (asked.length === 0) return [];
  const isHere = PAYMENT_PAGE.test(path);
  return pages
    .filter(({ text, also = "", isOfPayment = isHere }) => {
      const words = plain([text, also].join(" "));
      return isOfPayment === isHere && asked.every((word) => words.includes(word));
    })
    .slice(0, MOST_PLACES)
    .map(({ href, text, control }) => ({ text, href: href.replace("{here}", path), ...(control ? { control } : {}) }));
}

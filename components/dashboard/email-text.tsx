import { Fragment } from "react";

/** In a narrow place it breaks before its at sign or a dot, not in the middle of a word. */
export function EmailText({ address }: { address: string }) {
  return address.split(/(?=[@.])/).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of an address never move
    <Fragment key={index}>
      {index > 0 ? <wbr /> : null}
      {part}
    </Fragment>
  ));
}

import { Fragment } from "react";

/** In a narrow place it breaks after its dots and underscores, not in the middle of a word. */
export function EventName({ name }: { name: string }) {
  return (
    <span className="wrap-normal">
      {name.split(/(?<=[._])/).map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts of a name never move
        <Fragment key={index}>
          {index > 0 ? <wbr /> : null}
          {part}
        </Fragment>
      ))}
    </span>
  );
}

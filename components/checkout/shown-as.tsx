import type { Frame } from "@/lib/checkout/view";

/** The same as `shownAs`, for a form. */
export function ShownAs({ frame }: { frame: Pick<Frame, "locale" | "isEmbedded" | "scheme"> }) {
  return (
    <>
      <input type="hidden" name="lang" value={frame.locale} />
      {frame.isEmbedded ? <input type="hidden" name="embed" value={frame.scheme ?? "1"} /> : null}
    </>
  );
}

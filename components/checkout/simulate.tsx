import { ShownAs } from "@/components/checkout/shown-as";
import { getTranslations } from "@/components/checkout/words";
import type { Frame } from "@/lib/checkout/view";

/** Sandbox accounts only: plays the buyer's bank. */
export function Simulate({ frame, own }: { frame: Frame; own: string }) {
  const t = getTranslations("checkout", frame.locale);
  return (
    <form method="post" action={`${own}/simulate`} className="sim noprint">
      <ShownAs frame={frame} />
      <button type="submit" className="btn two">
        {t("button.simulate")}
      </button>
      <p>{t("sandbox.note")}</p>
    </form>
  );
}

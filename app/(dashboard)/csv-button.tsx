import { getTranslations } from "next-intl/server";
import { type GivenParameters, withParameters } from "@/app/(dashboard)/list-url";
import { LinkButton } from "@/components/ui/link-button";

/** Takes the list with the filters of its address along; `place` names what is no filter of it. */
export async function CsvButton({ path, given, place = [] }: CsvButtonProps) {
  const t = await getTranslations("exports");
  const nowhere = Object.fromEntries(["after", "before", "do", "done", ...place].map((name) => [name, undefined]));
  return (
    <LinkButton
      href={withParameters(`${path}/export`, given, nowhere)}
      data-export
      download
      prefetch={false}
      className="max-sm:h-11"
    >
      {t("export")}
    </LinkButton>
  );
}

interface CsvButtonProps {
  path: string;
  given: GivenParameters;
  place?: readonly string[];
}

/** Below a list of which the page shows the first rows alone. */
export async function CutNote() {
  const t = await getTranslations("exports");
  return <p className="border-line border-t px-5 py-3 text-ink-3 text-sm">{t("cut")}</p>;
}

"use client";

import { Rows3, Rows4 } from "lucide-react";
import { DENSITY_COOKIE, type Density } from "@/components/charges/density";
import { useTravel } from "@/components/dashboard/use-travel";
import { classes } from "@/components/ui/classes";

const YEAR_SECONDS = 31_536_000;
const ICONS = { compact: Rows4, comfortable: Rows3 } satisfies Record<Density, typeof Rows3>;

interface DensitySwitchProps {
  label: string;
  chosen: Density;
  choices: readonly { value: Density; text: string }[];
}

export function DensitySwitch({ label, chosen, choices }: DensitySwitchProps) {
  const travel = useTravel();
  return (
    <fieldset className="hidden rounded-md bg-sunken p-0.5 md:flex">
      <legend className="sr-only">{label}</legend>
      {choices.map(({ value, text }) => {
        const Icon = ICONS[value];
        return (
          <button
            key={value}
            type="button"
            aria-pressed={value === chosen}
            aria-label={text}
            title={text}
            onClick={() => {
              // biome-ignore lint/suspicious/noDocumentCookie: the store with an interface of its own is not in every browser
              document.cookie = `${DENSITY_COOKIE}=${value}; path=/dashboard; max-age=${YEAR_SECONDS}; samesite=lax`;
              travel.refresh();
            }}
            className={classes(
              "grid size-7 pointer-coarse:size-11 place-items-center rounded-sm text-ink-2 hover:text-ink [&_svg]:size-4",
              value === chosen && "bg-surface text-ink shadow-sm",
            )}
          >
            <Icon aria-hidden />
          </button>
        );
      })}
    </fieldset>
  );
}

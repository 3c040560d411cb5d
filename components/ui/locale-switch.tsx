"use client";

import { Languages } from "lucide-react";
import { startTransition, useCallback, useState } from "react";
import { useAskedFor } from "@/components/ui/asked-for";
import { Button } from "@/components/ui/button";
import {
  Dropdown,
  DropdownContent,
  DropdownRadioGroup,
  DropdownRadioItem,
  DropdownTrigger,
} from "@/components/ui/dropdown";
import { useWords } from "@/components/ui/words";
import { isLocale, LOCALES, type Locale } from "@/lib/i18n/locales";

/** Each language is named in itself, whatever the page speaks. */
const NAMES: Record<Locale, string> = { "pt-BR": "Português", en: "English" };

interface LocaleSwitchProps {
  locale: Locale;
  onChoose: (locale: Locale) => Promise<void>;
}

export function LocaleSwitch({ locale, onChoose }: LocaleSwitchProps) {
  const words = useWords();
  const [isOpen, setIsOpen] = useState(false);
  useAskedFor(
    "language",
    useCallback(() => setIsOpen(true), []),
  );
  return (
    <Dropdown open={isOpen} onOpenChange={setIsOpen}>
      <DropdownTrigger asChild>
        <Button tone="quiet" size="icon" aria-label={words.language} title={words.language}>
          <Languages aria-hidden />
        </Button>
      </DropdownTrigger>
      <DropdownContent>
        <DropdownRadioGroup
          value={locale}
          onValueChange={(value) => {
            if (isLocale(value)) startTransition(() => onChoose(value));
          }}
        >
          {LOCALES.map((value) => (
            <DropdownRadioItem key={value} value={value} lang={value}>
              {NAMES[value]}
            </DropdownRadioItem>
          ))}
        </DropdownRadioGroup>
      </DropdownContent>
    </Dropdown>
  );
}

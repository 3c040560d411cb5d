"use client";

import { Monitor, Moon, Sun } from "lucide-react";
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
import { type Theme, themeOf } from "@/lib/i18n/theme";

const CHOICES = [
  { theme: "system", icon: Monitor, wording: "themeSystem" },
  { theme: "light", icon: Sun, wording: "themeLight" },
  { theme: "dark", icon: Moon, wording: "themeDark" },
] as const;

interface ThemeToggleProps {
  theme: Theme;
  /** Remembers the choice, so that the server renders it next time. */
  onChoose: (theme: Theme) => Promise<void>;
}

export function ThemeToggle({ theme, onChoose }: ThemeToggleProps) {
  const words = useWords();
  const [chosen, setChosen] = useState(theme);
  const [isOpen, setIsOpen] = useState(false);
  useAskedFor(
    "theme",
    useCallback(() => setIsOpen(true), []),
  );
  const Icon = CHOICES.find((choice) => choice.theme === chosen)?.icon ?? Monitor;
  const choose = (next: Theme) => {
    setChosen(next);
    document.documentElement.dataset.theme = next;
    startTransition(() => onChoose(next));
  };
  return (
    <Dropdown open={isOpen} onOpenChange={setIsOpen}>
      <DropdownTrigger asChild>
        <Button tone="quiet" size="icon" aria-label={words.theme} title={words.theme}>
          <Icon aria-hidden />
        </Button>
      </DropdownTrigger>
      <DropdownContent>
        <DropdownRadioGroup value={chosen} onValueChange={(value) => choose(themeOf(value))}>
          {CHOICES.map(({ theme: value, icon: ChoiceIcon, wording }) => (
            <DropdownRadioItem key={value} value={value}>
              <ChoiceIcon aria-hidden />
              {words[wording]}
            </DropdownRadioItem>
          ))}
        </DropdownRadioGroup>
      </DropdownContent>
    </Dropdown>
  );
}

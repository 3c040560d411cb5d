"use client";

import { ChevronsUpDown, FlaskConical, Zap } from "lucide-react";
import { startTransition, useEffect, useRef, useState } from "react";
import { mayLeave } from "@/components/dashboard/leaving";
import { Badge } from "@/components/ui/badge";
import {
  Dropdown,
  DropdownContent,
  DropdownRadioGroup,
  DropdownRadioItem,
  DropdownTrigger,
} from "@/components/ui/dropdown";

export interface ShownAccount {
  id: string;
  name: string;
  mode: "sandbox" | "live";
  /** In words. */
  role: string;
}

interface ModeTexts {
  sandbox: string;
  live: string;
}

/** Said to the window by whoever wants the accounts shown. */
export const OPEN_ACCOUNTS = "trilho:accounts";

interface AccountSwitcherProps {
  account: ShownAccount;
  accounts: readonly ShownAccount[];
  texts: ModeTexts & { switchAccount: string };
  onSwitch: (id: string) => Promise<void>;
}

const box = "flex w-full items-center gap-2.5 rounded-lg border border-line bg-surface px-3 py-2.5 text-left shadow-sm";

export function AccountSwitcher({ account, accounts, texts, onSwitch }: AccountSwitcherProps) {
  const [isOpen, setIsOpen] = useState(false);
  const trigger = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // It stands in the page twice: on a phone, in a sheet that opens.
    const open = () => setIsOpen(trigger.current !== null && trigger.current.offsetParent !== null);
    window.addEventListener(OPEN_ACCOUNTS, open);
    return () => window.removeEventListener(OPEN_ACCOUNTS, open);
  }, []);
  const choose = (id: string) => {
    const go = () => startTransition(() => onSwitch(id));
    if (mayLeave("/dashboard", go)) go();
  };
  const face = (
    <span className="grid min-w-0 flex-1 justify-items-start gap-1">
      <span className="w-full truncate font-medium text-ink text-sm">{account.name}</span>
      <ModeBadge mode={account.mode} texts={texts} />
    </span>
  );
  if (accounts.length < 2) return <div className={box}>{face}</div>;
  return (
    <Dropdown open={isOpen} onOpenChange={setIsOpen}>
      <DropdownTrigger ref={trigger} className={box}>
        <span className="sr-only">{texts.switchAccount}</span>
        {face}
        <ChevronsUpDown aria-hidden className="size-4 text-ink-3" />
      </DropdownTrigger>
      <DropdownContent align="start" className="w-max min-w-60 max-w-80">
        <DropdownRadioGroup value={account.id} onValueChange={choose}>
          {accounts.map((other) => (
            <DropdownRadioItem key={other.id} value={other.id}>
              <span className="min-w-0 flex-1 break-words">{other.name}</span>
              <ModeBadge mode={other.mode} texts={texts} />
            </DropdownRadioItem>
          ))}
        </DropdownRadioGroup>
      </DropdownContent>
    </Dropdown>
  );
}

function ModeBadge({ mode, texts }: { mode: ShownAccount["mode"]; texts: ModeTexts }) {
  return mode === "sandbox" ? (
    <Badge tone="sandbox" icon={FlaskConical}>
      {texts.sandbox}
    </Badge>
  ) : (
    <Badge tone="live" icon={Zap}>
      {texts.live}
    </Badge>
  );
}

"use client";

import { Menu } from "lucide-react";
import { usePathname } from "next/navigation";
import { type ReactNode, useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog, DialogContent, DialogTrigger } from "@/components/ui/dialog";

/** The sections on a phone; going somewhere closes it. */
export function MenuSheet({ label, children }: { label: string; children: ReactNode }) {
  const path = usePathname();
  const [openOn, setOpenOn] = useState<string>();
  return (
    <Dialog open={openOn === path} onOpenChange={(isOpen) => setOpenOn(isOpen ? path : undefined)}>
      <DialogTrigger asChild>
        <Button tone="quiet" className="size-11 p-0 lg:hidden" aria-label={label}>
          <Menu aria-hidden className="size-5" />
        </Button>
      </DialogTrigger>
      <DialogContent title={label} shape="sheet">
        <div className="flex h-full flex-col gap-4 pb-3">{children}</div>
      </DialogContent>
    </Dialog>
  );
}

import type { ReactNode } from "react";
import type { Frame } from "@/lib/checkout/view";

/** A file of the payment; out of a frame it goes to a tab of its own, whatever the browser makes of it. */
export function Download({ frame, href, children }: { frame: Frame; href: string; children: ReactNode }) {
  return (
    <a className="btn two" href={href} {...(frame.isEmbedded ? { target: "_blank", rel: "noopener noreferrer" } : {})}>
      {children}
    </a>
  );
}

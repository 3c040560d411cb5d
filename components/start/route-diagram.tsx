import type { ReactNode } from "react";
import { classes } from "@/components/ui/classes";

const MAIN = "M64 34V438";
const SIDING = "M64 172C64 226 188 196 188 250V276";
/** Up to the first provider, back to the switch, and on to the end. */
const JOURNEY = "M64 44V172C64 226 188 196 188 250V262V250C188 196 64 226 64 172V428";

export interface RouteDiagramTexts {
  caption: string;
  charge: string;
  amount: string;
  attempt: string;
  declined: string;
  approved: string;
  ledger: string;
  providerA: string;
  providerB: string;
}

/** The way of one card payment, drawn as the rails the product is named after. */
export function RouteDiagram({ texts }: { texts: RouteDiagramTexts }) {
  return (
    <figure className="mx-auto w-full max-w-md overflow-hidden rounded-xl border border-line bg-surface shadow-lg lg:max-w-none">
      <svg viewBox="6 8 340 456" className="mx-auto block w-full px-3 py-4 sm:px-8" aria-hidden="true">
        <Rails path={SIDING} isIdle />
        <Rails path={MAIN} />
        <path d="M178 282h20M181 288h14" className="stroke-signal" strokeWidth="3" strokeLinecap="round" />
        <Station x={64} y={44} name={texts.charge} note={texts.amount} />
        <Station x={64} y={128} name={texts.attempt} note="pre_authorization" isCode />
        <Station x={188} y={262} name={texts.providerA} note={texts.declined} tone="declined" />
        <Station x={64} y={334} name={texts.providerB} note={texts.approved} tone="approved" />
        <Station x={64} y={428} name={texts.ledger} note="authorized" isCode />
        <g className="train" style={{ offsetPath: `path("${JOURNEY}")` }}>
          <rect x="-13" y="-6" width="26" height="12" rx="6" className="fill-accent" />
          <circle cx="7" cy="0" r="2" className="fill-on-accent" />
        </g>
      </svg>
      <figcaption className="border-line border-t bg-sunken px-6 py-4 text-ink-2 text-sm sm:px-8">
        {texts.caption}
      </figcaption>
    </figure>
  );
}

/** Sleepers, two rails, and the bed between them. */
function Rails({ path, isIdle }: { path: string; isIdle?: boolean }) {
  return (
    <g fill="none">
      <path d={path} className="stroke-line-strong" strokeWidth="22" strokeDasharray="3.5 8" />
      <path d={path} className={isIdle ? "stroke-control" : "stroke-accent"} strokeWidth="10" />
      <path d={path} className="stroke-surface" strokeWidth="6" />
    </g>
  );
}

const TONES = {
  plain: { ring: "stroke-accent", note: "fill-ink-3" },
  approved: { ring: "stroke-accent", note: "fill-accent-ink" },
  declined: { ring: "stroke-signal", note: "fill-signal" },
};

interface StationProps {
  x: number;
  y: number;
  name: ReactNode;
  note: string;
  tone?: keyof typeof TONES;
  isCode?: boolean;
}

function Station({ x, y, name, note, tone = "plain", isCode }: StationProps) {
  return (
    <g>
      <circle cx={x} cy={y} r="9" className={classes("fill-surface", TONES[tone].ring)} strokeWidth="3.5" />
      <text x={x + 26} y={y - 3} className="fill-ink font-semibold text-[15px]">
        {name}
      </text>
      <text
        x={x + 26}
        y={y + 15}
        className={classes("text-[13px]", TONES[tone].note, isCode && "font-mono text-[12px]")}
      >
        {note}
      </text>
    </g>
  );
}

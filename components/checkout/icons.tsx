import type { ReactNode } from "react";

const LINE = {
  fill: "none",
  stroke: "currentColor",
  strokeWidth: 1.75,
  strokeLinecap: "round",
  strokeLinejoin: "round",
} as const;

const PATHS = {
  pix: (
    <path
      d="M12 3.2 8.3 6.9H6.6L3.2 10.3a2.4 2.4 0 0 0 0 3.4l3.4 3.4h1.7l3.7 3.7 3.7-3.7h1.7l3.4-3.4a2.4 2.4 0 0 0 0-3.4l-3.4-3.4h-1.7zM8.3 6.9l2.5 2.6a1.7 1.7 0 0 0 2.4 0l2.5-2.6M8.3 17.1l2.5-2.6a1.7 1.7 0 0 1 2.4 0l2.5 2.6"
      {...LINE}
    />
  ),
  card: (
    <path d="M2.5 7.5a2 2 0 0 1 2-2h15a2 2 0 0 1 2 2v9a2 2 0 0 1-2 2h-15a2 2 0 0 1-2-2zM2.5 10h19M6 15h4" {...LINE} />
  ),
  cards: (
    <path
      d="M2.5 10.5a2 2 0 0 1 2-2h11a2 2 0 0 1 2 2v7a2 2 0 0 1-2 2h-11a2 2 0 0 1-2-2zM2.5 13h15M6.5 8.5V6.5a2 2 0 0 1 2-2h11a2 2 0 0 1 2 2v7a2 2 0 0 1-2 2h-2"
      {...LINE}
    />
  ),
  boleto: <path d="M3.5 5.5v13M6.5 5.5v13M9 5.5v13M12.5 5.5v13M15 5.5v13M18 5.5v13M20.5 5.5v13" {...LINE} />,
  nupay: <path d="M4 17V9a3 3 0 0 1 6 0v8M14 7v6a3 3 0 0 0 6 0V7" {...LINE} />,
  drip: <path d="M12 3.5s5.5 5.7 5.5 10a5.5 5.5 0 0 1-11 0c0-4.3 5.5-10 5.5-10z" {...LINE} />,
  lock: (
    <path
      d="M6 10.5h12a1 1 0 0 1 1 1v7a1 1 0 0 1-1 1H6a1 1 0 0 1-1-1v-7a1 1 0 0 1 1-1zM8 10.5V8a4 4 0 0 1 8 0v2.5"
      {...LINE}
    />
  ),
  check: <path d="m5 12.5 4.5 4.5L19 7.5" {...LINE} strokeWidth={2.25} />,
  clock: <path d="M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 7.5V12l3 2" {...LINE} />,
  alert: <path d="M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 7.5v5.5M12 16.5h.01" {...LINE} />,
  back: <path d="M9 14 4 9l5-5M4 9h10.5a5.5 5.5 0 0 1 0 11H11" {...LINE} />,
  link: (
    <path
      d="M10 14a4 4 0 0 0 5.7 0l3-3a4 4 0 0 0-5.7-5.7l-1 1M14 10a4 4 0 0 0-5.7 0l-3 3a4 4 0 0 0 5.7 5.7l1-1"
      {...LINE}
    />
  ),
  copy: (
    <path
      d="M9 9h10a1 1 0 0 1 1 1v10a1 1 0 0 1-1 1H9a1 1 0 0 1-1-1V10a1 1 0 0 1 1-1zM5 15H4a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1h10a1 1 0 0 1 1 1v1"
      {...LINE}
    />
  ),
  chevron: <path d="m6 9.5 6 6 6-6" {...LINE} strokeWidth={2} />,
  pause: <path d="M9 6v12M15 6v12" {...LINE} strokeWidth={2.25} />,
} as const satisfies Record<string, ReactNode>;
export type IconName = keyof typeof PATHS;

/** Decoration: the words beside it say the same. */
export const Icon = ({ name, size = 22, className }: { name: IconName; size?: number; className?: string }) => (
  <svg viewBox="0 0 24 24" width={size} height={size} className={className} aria-hidden="true" focusable="false">
    {PATHS[name]}
  </svg>
);

/** Parts of the drawings, the same in every language. */
const LETTERING = {
  visa: "VISA",
  elo: "elo",
  hipercard: "HIPERCARD",
  hiper: "hiper",
  amex: "AMEX",
  discover: "DISCOVER",
  jcb: "JCB",
  aura: "AURA",
} as const;

/** A plain badge with its name. */
const badge = (name: keyof typeof LETTERING, fill: string, size: number): ReactNode => (
  <>
    <rect width="38" height="24" rx="4" fill={fill} />
    <text
      x="19"
      y="15.5"
      textAnchor="middle"
      fill="#fff"
      fontSize={size}
      fontWeight="800"
      fontFamily="Arial,sans-serif"
    >
      {LETTERING[name]}
    </text>
  </>
);

/** The marks of the card brands, drawn small: a badge and its lettering. */
const MARKS: Readonly<Record<string, ReactNode>> = {
  Visa: (
    <>
      <rect width="38" height="24" rx="4" fill="#1a1f71" />
      <text
        x="19"
        y="16.5"
        textAnchor="middle"
        fill="#fff"
        fontSize="11.5"
        fontWeight="800"
        fontStyle="italic"
        fontFamily="Arial,sans-serif"
      >
        {LETTERING.visa}
      </text>
    </>
  ),
  Mastercard: (
    <>
      <rect width="38" height="24" rx="4" fill="#161616" />
      <circle cx="15" cy="12" r="7" fill="#eb001b" />
      <circle cx="23" cy="12" r="7" fill="#f79e1b" />
      <path d="M19 6.3a7 7 0 0 1 0 11.4 7 7 0 0 1 0-11.4z" fill="#ff5f00" />
    </>
  ),
  Elo: (
    <>
      <rect width="38" height="24" rx="4" fill="#000" />
      <circle cx="10.5" cy="12" r="5" fill="none" stroke="#fff" strokeWidth="2.2" />
      <path d="M5.8 10.3a5 5 0 0 1 3.1-3" stroke="#ffcb05" strokeWidth="2.2" fill="none" />
      <path d="M13.8 15.8a5 5 0 0 0 1.6-2.8" stroke="#ef4123" strokeWidth="2.2" fill="none" />
      <text
        x="26"
        y="15.8"
        textAnchor="middle"
        fill="#fff"
        fontSize="11"
        fontWeight="700"
        fontFamily="Arial,sans-serif"
      >
        {LETTERING.elo}
      </text>
    </>
  ),
  HiperCard: (
    <>
      <rect width="38" height="24" rx="4" fill="#b3131b" />
      <text
        x="19"
        y="15.5"
        textAnchor="middle"
        fill="#fff"
        fontSize="6"
        fontWeight="700"
        fontStyle="italic"
        fontFamily="Arial,sans-serif"
      >
        {LETTERING.hipercard}
      </text>
    </>
  ),
  Hiper: (
    <>
      <rect width="38" height="24" rx="4" fill="#f37421" />
      <text
        x="19"
        y="16"
        textAnchor="middle"
        fill="#000"
        fontSize="11.5"
        fontWeight="800"
        fontFamily="Arial,sans-serif"
      >
        {LETTERING.hiper}
      </text>
    </>
  ),
  "American Express": badge("amex", "#016fd0", 8.5),
  Discover: badge("discover", "#4d4d4d", 6),
  JCB: badge("jcb", "#0b4ea2", 10),
  Aura: badge("aura", "#c8102e", 9),
  Diners: (
    <>
      <rect width="38" height="24" rx="4" fill="#0079be" />
      <circle cx="19" cy="12" r="7.5" fill="#fff" />
      <path d="M17 7.5v9a5 5 0 0 1 0-9zM21 7.5v9a5 5 0 0 0 0-9z" fill="#0079be" />
    </>
  ),
};

export const hasBrandMark = (brand: string): boolean => Object.hasOwn(MARKS, brand);

export const BrandMark = ({ brand }: { brand: string }) =>
  hasBrandMark(brand) ? (
    <svg viewBox="0 0 38 24" width="38" height="24" aria-hidden="true" focusable="false" data-mark={brand}>
      {MARKS[brand]}
    </svg>
  ) : null;

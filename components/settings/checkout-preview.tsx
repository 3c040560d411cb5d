"use client";

import { Monitor, Smartphone } from "lucide-react";
import { useEffect, useId, useRef, useState } from "react";
import { classes } from "@/components/ui/classes";
import { inputLook } from "@/components/ui/input";

const ADDRESS = "/dashboard/preview";
const DEVICES = {
  phone: { width: 390, height: 760 },
  desktop: { width: 1280, height: 860 },
} as const;
type Device = keyof typeof DEVICES;

export interface PreviewTexts {
  title: string;
  note: string;
  state: string;
  device: string;
  phone: string;
  desktop: string;
  scheme: string;
  language: string;
}

export interface PreviewChoices {
  states: readonly { group: string; states: readonly { value: string; label: string }[] }[];
  schemes: readonly { value: string; label: string }[];
  languages: readonly { value: string; label: string }[];
}

interface CheckoutPreviewProps {
  /** What is shown besides the choices made here. */
  query: Readonly<Record<string, string>>;
  initial: { state: string; lang: string };
  texts: PreviewTexts;
  choices: PreviewChoices;
}

/** The real checkout, made by the server from what is being edited; it follows every change. */
export function CheckoutPreview({ query, initial, texts, choices }: CheckoutPreviewProps) {
  const [device, setDevice] = useState<Device>("phone");
  const [state, setState] = useState(initial.state);
  const [scheme, setScheme] = useState("light");
  const [lang, setLang] = useState(initial.lang);
  const address = `${ADDRESS}?${new URLSearchParams({ ...query, state, scheme, lang })}`;
  const [first] = useState(address);
  const note = useId();
  const frame = useRef<HTMLIFrameElement>(null);
  // What was there before this listened to it is looked at once more.
  useEffect(() => {
    if (frame.current) stopWithin(frame.current);
  }, []);
  const shown = useRef(first);
  useEffect(() => {
    if (shown.current === address) return;
    shown.current = address;
    // Replaced, so that the way back leads out of the page and not through every colour that was tried.
    frame.current?.contentWindow?.location.replace(address);
  }, [address]);
  const { width, height } = DEVICES[device];
  const [place, scale] = useScale(width);
  return (
    <section aria-label={texts.title} className="overflow-hidden rounded-lg border border-line bg-surface shadow-sm">
      <div className="grid grid-cols-1 gap-3 border-line border-b px-4 py-3">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <h2 className="font-semibold text-base text-ink">{texts.title}</h2>
          <fieldset className="flex rounded-md border border-line-strong bg-surface p-0.5">
            <legend className="sr-only">{texts.device}</legend>
            {(["phone", "desktop"] as const).map((each) => {
              const Icon = each === "phone" ? Smartphone : Monitor;
              return (
                <button
                  key={each}
                  type="button"
                  aria-pressed={device === each}
                  onClick={() => setDevice(each)}
                  className={classes(
                    "flex h-8 pointer-coarse:min-h-11 items-center gap-1.5 rounded-sm px-2.5 font-medium text-sm max-sm:h-10",
                    device === each ? "bg-accent-soft text-accent-ink" : "text-ink-2 hover:text-ink",
                  )}
                >
                  <Icon aria-hidden className="size-4" />
                  {texts[each]}
                </button>
              );
            })}
          </fieldset>
        </div>
        <div className="flex flex-wrap gap-2">
          <select
            aria-label={texts.state}
            value={state}
            onChange={(event) => setState(event.currentTarget.value)}
            className={classes(inputLook, "h-10 w-auto flex-1 basis-44 pr-2 sm:h-9")}
          >
            {choices.states.map(({ group, states }) => (
              <optgroup key={group} label={group}>
                {states.map(({ value, label }) => (
                  <option key={value} value={value}>
                    {label}
                  </option>
                ))}
              </optgroup>
            ))}
          </select>
          <Choice label={texts.scheme} value={scheme} onChange={setScheme} options={choices.schemes} />
          <Choice label={texts.language} value={lang} onChange={setLang} options={choices.languages} />
        </div>
      </div>
      <div className="bg-sunken p-4">
        <div
          ref={place}
          className={classes("mx-auto overflow-hidden", device === "phone" && "max-w-97.5")}
          style={{ height: Math.round(height * scale) }}
        >
          <iframe
            ref={frame}
            title={texts.title}
            aria-describedby={note}
            src={first}
            tabIndex={-1}
            onLoad={({ currentTarget }) => stopWithin(currentTarget)}
            sandbox="allow-same-origin allow-scripts"
            width={width}
            height={height}
            className="origin-top-left rounded-md border-0 bg-white ring-1 ring-line"
            style={{ transform: `scale(${scale})` }}
          />
        </div>
      </div>
      <p id={note} className="border-line border-t px-4 py-2.5 text-ink-3 text-xs">
        {texts.note}
      </p>
    </section>
  );
}

/** A picture of a page: nothing in it is a stop of the Tab key or takes a press; it still scrolls. */
function stopWithin({ contentDocument }: HTMLIFrameElement): void {
  if (contentDocument?.body) contentDocument.body.inert = true;
}

interface ChoiceProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  options: readonly { value: string; label: string }[];
}

function Choice({ label, value, onChange, options }: ChoiceProps) {
  return (
    <select
      aria-label={label}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      className={classes(inputLook, "h-10 w-auto pr-2 sm:h-9")}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  );
}

/** How much of its own width the page gets here; never more than all of it. */
function useScale(width: number) {
  const place = useRef<HTMLDivElement>(null);
  const [room, setRoom] = useState<number>();
  useEffect(() => {
    if (!place.current) return;
    const watcher = new ResizeObserver(([entry]) => setRoom(entry?.contentRect.width));
    watcher.observe(place.current);
    return () => watcher.disconnect();
  }, []);
  return [place, room === undefined ? 1 : Math.min(1, room / width)] as const;
}

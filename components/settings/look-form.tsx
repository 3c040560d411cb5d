"use client";

import { CircleAlert, ImageUp, RotateCcw } from "lucide-react";
import { useState, useTransition } from "react";
import { useUnsaved } from "@/components/dashboard/unsaved";
import { CheckoutPreview, type PreviewChoices, type PreviewTexts } from "@/components/settings/checkout-preview";
import { ContrastTable, type ContrastTexts } from "@/components/settings/contrast-table";
import { ColourField, type FieldTexts, SettingField } from "@/components/settings/setting-fields";
import { effective, type LookValues, type Picture, previewQueryOf, schemesOfLook } from "@/components/settings/values";
import { FormProblem } from "@/components/tasks/form-problem";
import type { TaskAction } from "@/components/tasks/task-form";
import { useKeptForm } from "@/components/tasks/use-kept-form";
import { Button } from "@/components/ui/button";
import { classes } from "@/components/ui/classes";
import { Input, inputLook } from "@/components/ui/input";
import { BRAND_COLOURS } from "@/lib/branding/palette";

/** What became of a picture that was chosen. */
export type UploadedPicture = { picture: Picture } | { problem: string };

export interface LookTexts extends FieldTexts {
  colours: string;
  coloursText: string;
  shop: string;
  checkout: string;
  checkoutText: string;
  logo: string;
  logoHint: string;
  logoAlt: string;
  logoHeic: string;
  logoTooHeavy: string;
  choose: string;
  remove: string;
  siteUrl: string;
  siteUrlHint: string;
  supportEmail: string;
  supportEmailHint: string;
  severalCards: string;
  severalCardsHint: string;
  leastPart: string;
  leastPartHint: string;
  captcha: string;
  captchaHint: string;
  byDefault: { severalCards: string; captcha: string };
  yes: string;
  no: string;
  save: string;
  unsaved: string;
}

interface LookFormProps {
  /** Null is the account's default. */
  merchantId: string | null;
  own: LookValues;
  behind: LookValues;
  /** Whether what is shown is somebody else's, copied and not saved. */
  isCopy: boolean;
  onSave: TaskAction;
  onPicture: (form: FormData) => Promise<UploadedPicture>;
  texts: LookTexts;
  contrast: ContrastTexts;
  preview: { texts: PreviewTexts; choices: PreviewChoices; initial: { state: string; lang: string } };
  locale: string;
}

const MOST_LOGO_BYTES = 2 * 1024 * 1024;

/** Everything a buyer sees of a shop; the page beside it is the real one and follows every change. */
export function LookForm(props: LookFormProps) {
  const { merchantId, own, behind, isCopy, onSave, onPicture, texts, contrast, preview, locale } = props;
  const [state, form, isBusy] = useKeptForm(onSave);
  const [values, setValues] = useState(own);
  const change = (changes: Partial<LookValues>) => setValues((before) => ({ ...before, ...changes }));
  const isEdited = JSON.stringify(values) !== JSON.stringify(own);
  const isChanged = isCopy || isEdited;
  useUnsaved(isEdited && !isBusy);
  const used = effective(values, behind);
  const format = new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format;
  return (
    <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,27rem)_minmax(0,1fr)]">
      <form {...form} className="grid gap-6">
        <input type="hidden" name="merchant" value={merchantId ?? ""} />
        <input type="hidden" name="picture" value={values.picture?.from ?? (own.picture ? "none" : "keep")} />
        <FormProblem state={state} />
        <Group title={texts.shop}>
          <LogoField
            shown={values.picture ?? behind.picture}
            isOwn={values.picture !== null}
            onPicture={onPicture}
            onChange={(picture) => change({ picture })}
            texts={texts}
          />
          <SettingField
            label={texts.siteUrl}
            hint={texts.siteUrlHint}
            value={values.siteUrl}
            behind={behind.siteUrl}
            error={state.problems?.companyUrl}
            texts={texts}
            onReset={() => change({ siteUrl: "" })}
          >
            {(control) => (
              <Input
                {...control}
                name="siteUrl"
                inputMode="url"
                autoComplete="off"
                spellCheck={false}
                placeholder={behind.siteUrl || "https://"}
                value={values.siteUrl}
                onChange={(event) => change({ siteUrl: event.currentTarget.value })}
                className="h-11 sm:h-10"
              />
            )}
          </SettingField>
          <SettingField
            label={texts.supportEmail}
            hint={texts.supportEmailHint}
            value={values.supportEmail}
            behind={behind.supportEmail}
            error={state.problems?.supportEmail}
            texts={texts}
            onReset={() => change({ supportEmail: "" })}
          >
            {(control) => (
              <Input
                {...control}
                name="supportEmail"
                type="email"
                autoComplete="off"
                placeholder={behind.supportEmail}
                value={values.supportEmail}
                onChange={(event) => change({ supportEmail: event.currentTarget.value })}
                className="h-11 sm:h-10"
              />
            )}
          </SettingField>
        </Group>
        <Group title={texts.colours} text={texts.coloursText}>
          {BRAND_COLOURS.map((field) => (
            <ColourField
              key={field}
              name={field}
              label={contrast.names[field]}
              value={values[field]}
              behind={behind[field]}
              used={used.shown[field]}
              error={state.problems?.[field]}
              texts={texts}
              onChange={(colour) => change({ [field]: colour })}
            />
          ))}
        </Group>
        <Group title={texts.checkout} text={texts.checkoutText}>
          {(["severalCards", "captcha"] as const).map((field) => (
            <SettingField
              key={field}
              label={texts[field]}
              hint={texts[`${field}Hint`]}
              value={values[field]}
              behind={behind[field]}
              texts={texts}
              onReset={() => change({ [field]: "" })}
            >
              {(control) => (
                <select
                  {...control}
                  name={field}
                  value={values[field]}
                  onChange={(event) => change({ [field]: event.currentTarget.value })}
                  className={classes(inputLook, "h-11 pr-2 sm:h-10")}
                >
                  <option value="">{texts.byDefault[field]}</option>
                  <option value="yes">{texts.yes}</option>
                  <option value="no">{texts.no}</option>
                </select>
              )}
            </SettingField>
          ))}
          <SettingField
            label={texts.leastPart}
            hint={texts.leastPartHint}
            value={values.leastPart}
            behind={behind.leastPart}
            error={state.problems?.leastPart}
            texts={texts}
            onReset={() => change({ leastPart: "" })}
          >
            {(control) => (
              <Input
                {...control}
                name="leastPart"
                inputMode="decimal"
                autoComplete="off"
                placeholder={behind.leastPart}
                value={values.leastPart}
                onChange={(event) => change({ leastPart: event.currentTarget.value })}
                className="h-11 sm:h-10"
              />
            )}
          </SettingField>
        </Group>
        <div
          data-bar
          className="sticky bottom-0 z-10 flex items-center justify-end gap-3 rounded-lg border border-line bg-raised py-1 pr-1 pl-4 shadow-lg [@media(max-height:500px)]:static"
        >
          <p aria-live="polite" className="min-w-0 flex-1 text-ink-2 text-sm">
            {isChanged ? texts.unsaved : ""}
          </p>
          <Button type="submit" tone="primary" isBusy={isBusy} className="h-11 sm:h-9">
            {texts.save}
          </Button>
        </div>
      </form>
      <div className="grid min-w-0 gap-6 xl:sticky xl:top-6">
        <CheckoutPreview
          query={previewQueryOf(merchantId, values, behind)}
          initial={preview.initial}
          texts={preview.texts}
          choices={preview.choices}
        />
        <ContrastTable colours={used.colours} schemes={schemesOfLook(used.colours)} texts={contrast} format={format} />
      </div>
    </div>
  );
}

function Group({ title, text, children }: { title: string; text?: string; children: React.ReactNode }) {
  return (
    <section className="rounded-lg border border-line bg-surface shadow-sm">
      <div className="border-line border-b px-5 py-4">
        <h2 className="font-semibold text-base text-ink">{title}</h2>
        {text ? <p className="mt-0.5 text-ink-2 text-sm">{text}</p> : null}
      </div>
      <div className="grid gap-5 px-5 py-4">{children}</div>
    </section>
  );
}

interface LogoFieldProps {
  shown: Picture | null;
  isOwn: boolean;
  onPicture: LookFormProps["onPicture"];
  onChange: (picture: Picture | null) => void;
  texts: LookTexts;
}

/** As phones name their photos, by type or by ending. */
const HEIC = /(?:^image\/|\.)hei[cf]$/i;

/** A picture is looked at by the server as soon as it is chosen: what is wrong with it is said at once. */
function LogoField({ shown, isOwn, onPicture, onChange, texts }: LogoFieldProps) {
  const [problem, setProblem] = useState<string>();
  const [isBusy, startTransition] = useTransition();
  const take = (file: File | undefined) => {
    if (!file) return;
    if (HEIC.test(file.type) || HEIC.test(file.name)) {
      setProblem(texts.logoHeic);
      return;
    }
    if (file.size > MOST_LOGO_BYTES) {
      const size = (file.size / 1024 / 1024).toFixed(1);
      setProblem(texts.logoTooHeavy.replace("{size}", size));
      return;
    }
    startTransition(async () => {
      const form = new FormData();
      form.set("logo", file);
      const answer = await onPicture(form);
      setProblem("problem" in answer ? answer.problem : undefined);
      if ("picture" in answer) onChange(answer.picture);
    });
  };
  return (
    <div className="grid gap-1.5">
      <span className="font-medium text-ink text-sm">{texts.logo}</span>
      <div className="flex flex-wrap items-center gap-3">
        {shown ? (
          <span className="grid h-14 min-w-24 place-items-center rounded-md border border-line bg-white px-3">
            {/* biome-ignore lint/performance/noImgElement: stored at the size it is shown in */}
            <img src={shown.url} alt={texts.logoAlt} className="max-h-10 max-w-36" />
          </span>
        ) : null}
        <label
          className={classes(
            "relative inline-flex h-11 cursor-pointer items-center gap-2 rounded-md border border-line-strong bg-surface px-3.5 font-medium text-ink text-sm shadow-sm sm:h-9",
            "hover:bg-sunken has-[input:focus-visible]:outline-2 has-[input:focus-visible]:outline-focus",
          )}
        >
          <ImageUp aria-hidden className="size-4" />
          {texts.choose}
          <input
            type="file"
            name="logo"
            accept="image/png,image/jpeg"
            aria-busy={isBusy || undefined}
            aria-describedby="logo-note"
            onChange={(event) => take(event.currentTarget.files?.[0])}
            className="absolute inset-0 cursor-pointer opacity-0"
          />
        </label>
        {isOwn ? (
          <Button tone="quiet" onClick={() => onChange(null)} className="h-11 sm:h-9">
            <RotateCcw aria-hidden />
            {texts.remove}
          </Button>
        ) : null}
      </div>
      <div id="logo-note" className="grid gap-1 text-sm">
        {problem ? (
          <p role="alert" className="flex items-start gap-1.5 text-danger">
            <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
            {problem}
          </p>
        ) : null}
        <p className="text-ink-3">{texts.logoHint}</p>
      </div>
    </div>
  );
}

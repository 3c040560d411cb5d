"use client";

import { Plus, Trash2 } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import { useState } from "react";
import { useEditing } from "@/components/flows/editor/context";
import {
  comparisonOf,
  type FieldName,
  fieldName,
  fieldNames,
  operatorsOf,
  typedOf,
  valueFrom,
} from "@/components/flows/editor/fields";
import { addMark, besideRemoved, focusMark, focusOneOf } from "@/components/flows/editor/focus";
import { Choice } from "@/components/flows/editor/inputs";
import { useFlowWords } from "@/components/flows/words";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { BRAND_NAMES, BRANDS } from "@/lib/brazil/card-brand";
import { FIELDS, type FieldComparison, METADATA, type Operator, type Test } from "@/lib/flows/rules/nodes";

const FIELD_TEXTS = {
  amount: "fieldAmount",
  installments: "fieldInstallments",
  brand: "fieldBrand",
  cardBin: "fieldBin",
  cardFunction: "fieldFunction",
  country: "fieldCountry",
  currency: "fieldCurrency",
  recurrence: "fieldRecurrence",
  source: "fieldSource",
  weekday: "fieldWeekday",
  hour: "fieldHour",
  metadata: "fieldMetadata",
  random: "fieldRandom",
  bucket: "fieldBucket",
  attempt: "fieldAttempt",
  previousDecline: "fieldDecline",
} as const satisfies Record<FieldName, string>;

const OPERATOR_TEXTS = {
  eq: "isEqual",
  neq: "isOther",
  gt: "isAbove",
  gte: "isFrom",
  lt: "isBelow",
  lte: "isUpTo",
  in: "isOneOf",
  contains: "isPart",
} as const satisfies Record<Operator, string>;

interface TestFormProps {
  test: Test;
  isAfterDecline: boolean;
  /** Groups around it. */
  depth?: number;
  /** Its way from the outermost one: "" is that one, ".2" the group at its third place. */
  path?: string;
  onChange: (test: Test) => void;
}

type Joined = "all" | "any";

/** One comparison, or several of which all or any must hold, with groups inside groups as deep as the rules allow. */
export function TestForm({ test, isAfterDecline, depth = 0, path = "", onChange }: TestFormProps) {
  const t = useTranslations("flows");
  const joined: Joined = "any" in test ? "any" : "all";
  const tests = "any" in test ? test.any : "all" in test ? test.all : [test];
  const put = (next: readonly Test[], by: Joined = joined) => {
    const [only] = next;
    if (next.length === 1 && only) onChange(only);
    else onChange(by === "any" ? { any: next } : { all: next });
  };
  const markAt = (place: number) => focusMark("test", `${path}.${place}`);
  const remove = (place: number) => {
    put(tests.filter((_, index) => index !== place));
    // A group of one is that one: its place in the group around it is what is left to remove.
    focusOneOf([...besideRemoved(place).map(markAt), focusMark("test", path), addMark("test", path)]);
  };
  return (
    <div className="grid grid-cols-1 gap-3">
      {tests.length > 1 ? (
        <Choice
          label={t("joined")}
          value={joined}
          options={[
            { value: "all", label: t("joinedAll") },
            { value: "any", label: t("joinedAny") },
          ]}
          onChange={(value) => put(tests, value === "any" ? "any" : "all")}
        />
      ) : null}
      {tests.map((one, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: tests are known by their places
        <div key={place} className="flex items-start gap-1 rounded-md bg-sunken p-2 sm:gap-2 sm:p-3">
          <div className="min-w-0 flex-1">
            {"field" in one ? (
              <ComparisonForm
                key={fieldName(one.field)}
                comparison={one}
                isAfterDecline={isAfterDecline}
                onChange={(next) => put(tests.map((other, index) => (index === place ? next : other)))}
              />
            ) : (
              <fieldset className="min-w-0 border-line-strong border-l-2 pl-2 sm:pl-3">
                <legend className="sr-only">{t("group", { place: place + 1 })}</legend>
                <TestForm
                  test={one}
                  isAfterDecline={isAfterDecline}
                  depth={depth + 1}
                  path={`${path}.${place}`}
                  onChange={(next) => put(tests.map((other, index) => (index === place ? next : other)))}
                />
              </fieldset>
            )}
          </div>
          {tests.length > 1 ? (
            <Button
              tone="quiet"
              size="icon"
              data-mark={markAt(place)}
              aria-label={t("testRemove", { place: place + 1 })}
              onClick={() => remove(place)}
            >
              <Trash2 aria-hidden />
            </Button>
          ) : null}
        </div>
      ))}
      <div className="flex flex-wrap gap-2">
        <Button size="sm" data-mark={addMark("test", path)} onClick={() => put([...tests, comparisonOf("brand")])}>
          <Plus aria-hidden />
          {t("testAdd")}
        </Button>
        {depth < MOST_GROUPS ? (
          <Button size="sm" onClick={() => put([...tests, groupFor(tests.length > 1 ? joined : "all")])}>
            <Plus aria-hidden />
            {t("groupAdd")}
          </Button>
        ) : null}
      </div>
    </div>
  );
}

/** Deeper ones are read and kept, and no form makes them: nobody would understand them. */
const MOST_GROUPS = 4;

/** It starts whole, and joined the other way: a group of the same kind would say nothing new. */
function groupFor(around: Joined): Test {
  const tests = [comparisonOf("amount"), comparisonOf("installments")];
  return around === "all" ? { any: tests } : { all: tests };
}

interface ComparisonFormProps {
  comparison: FieldComparison;
  isAfterDecline: boolean;
  onChange: (comparison: FieldComparison) => void;
}

function ComparisonForm({ comparison, isAfterDecline, onChange }: ComparisonFormProps) {
  const t = useTranslations("flows");
  const locale = useLocale();
  const [before] = useState(comparison.value);
  const { field, operator } = comparison;
  const name = fieldName(field);
  const names = fieldNames(isAfterDecline);
  return (
    <div className="grid grid-cols-1 gap-3 sm:grid-cols-3">
      <Choice
        label={t("field")}
        value={name}
        options={names.map((one) => ({ value: one, label: t(FIELD_TEXTS[one]) }))}
        onChange={(value) => onChange(comparisonOf(names.find((one) => one === value) ?? name))}
      />
      <Choice
        label={t("operator")}
        value={operator}
        options={operatorsOf(field).map((one) => ({ value: one, label: t(OPERATOR_TEXTS[one]) }))}
        onChange={(value) => {
          const next = operatorsOf(field).find((one) => one === value) ?? operator;
          onChange({
            field,
            operator: next,
            value: valueFrom(field, next, typedOf(comparison, locale), locale, before),
          });
        }}
      />
      <ValueInput comparison={comparison} name={name} before={before} onChange={onChange} />
      {name === "metadata" ? (
        <Field label={t("metadataKey")}>
          {(control) => (
            <Input
              {...control}
              maxLength={40}
              autoComplete="off"
              value={field.slice(METADATA.length)}
              onChange={({ target }) => onChange({ ...comparison, field: `${METADATA}${target.value}` })}
            />
          )}
        </Field>
      ) : null}
    </div>
  );
}

interface ValueInputProps {
  comparison: FieldComparison;
  name: FieldName;
  before: FieldComparison["value"];
  onChange: (comparison: FieldComparison) => void;
}

const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7];

/** One of few is chosen, everything else typed; what is typed is read as the field has it. */
function ValueInput({ comparison, name, before, onChange }: ValueInputProps) {
  const t = useTranslations("flows");
  const { names, declines } = useEditing();
  const words = useFlowWords(names);
  const { field, operator } = comparison;
  const locale = useLocale();
  const [typed, setTyped] = useState(() => typedOf(comparison, locale));
  const read = (text: string) => valueFrom(field, operator, text, locale, before);
  // Undone, or another one that moved up: what was typed here is not its value.
  const isOwn = JSON.stringify(read(typed)) === JSON.stringify(comparison.value);
  const put = (text: string) => {
    setTyped(text);
    onChange({ field, operator, value: read(text) });
  };
  const values = choicesOf();
  if (values && operator !== "in") {
    return (
      <Choice
        label={t("value")}
        value={typedOf(comparison, locale).toLowerCase()}
        options={values.map(({ value, label }) => ({ value, label }))}
        onChange={(value) => put(value)}
      />
    );
  }
  return (
    <Field label={t("value")} hint={hintOf()}>
      {(control) => (
        <Input
          {...control}
          autoComplete="off"
          value={isOwn ? typed : typedOf(comparison, locale)}
          onChange={({ target }) => put(target.value)}
        />
      )}
    </Field>
  );

  function hintOf(): string | undefined {
    if (name === "amount") return t(operator === "in" ? "valueSeveralMoney" : "valueMoney");
    return operator === "in" ? t("valueSeveral") : undefined;
  }

  function choicesOf(): { value: string; label: string }[] | undefined {
    if (name === "brand") {
      return BRANDS.filter((brand) => brand !== "aura").map((brand) => ({ value: brand, label: BRAND_NAMES[brand] }));
    }
    if (name === "weekday") return WEEKDAYS.map((day) => ({ value: String(day), label: words.value(field, day) }));
    if (name === "previousDecline") return Object.entries(declines).map(([value, label]) => ({ value, label }));
    return FIELDS[field]?.values?.map((value) => ({ value, label: words.value(field, value) }));
  }
}

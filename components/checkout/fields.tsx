import type { ReactNode } from "react";
import { Icon } from "@/components/checkout/icons";
import { getTranslations, type Words } from "@/components/checkout/words";
import { likelyEmail } from "@/lib/checkout/likely-email";
import type { FieldName, FieldProblem, MethodKind, TypedValues } from "@/lib/checkout/view";
import type { Locale } from "@/lib/i18n/locales";

export interface FormState {
  readonly locale: Locale;
  /** Makes the ids of this form its own: several forms stand on one page. */
  readonly form: string;
  readonly values: TypedValues;
  /** Masked, of a buyer who is known: stands in the fields until something else is typed. */
  readonly known?: TypedValues;
  /** Asked whether to be remembered; null where the shop knows its buyer already. */
  readonly remember?: boolean | null;
  readonly problems: readonly FieldProblem[];
}

export const formId = (method: MethodKind): string => `form-${method}`;

/** In forms of several cards the fields of the second one are `cardNumber1`. */
export const inputName = (field: FieldName, card?: number): string => (card === undefined ? field : `${field}${card}`);
export const inputId = (form: string, field: FieldName, card?: number): string => `${form}-${inputName(field, card)}`;

export const ERROR_KEYS = {
  name: "error.name",
  document: "error.document",
  email: "error.email",
  zipCode: "error.zipCode",
  street: "error.street",
  streetNumber: "error.streetNumber",
  complement: "error.street",
  district: "error.district",
  city: "error.city",
  state: "error.state",
  cardNumber: "error.cardNumber",
  cardHolderName: "error.cardHolderName",
  cardExpiration: "error.cardExpiration",
  cardCvv: "error.cardCvv",
  installments: "error.installments",
  question: "error.question",
} as const;
type PlainField = keyof typeof ERROR_KEYS;

/** Fields that can be wrong in another way than by being empty. */
export const EMPTY_KEYS = {
  document: "error.empty.document",
  zipCode: "error.empty.zipCode",
  cardNumber: "error.empty.cardNumber",
  cardExpiration: "error.empty.cardExpiration",
  cardCvv: "error.empty.cardCvv",
  email: "error.empty.email",
  question: "error.empty.question",
} as const;
export type EmptyField = keyof typeof EMPTY_KEYS;
const hasEmptyText = (field: FieldName): field is EmptyField => Object.hasOwn(EMPTY_KEYS, field);

export function errorText(
  t: Words,
  { field, isEmpty, isHalfMasked, untaken, cepIn, isOneName, isCardNumber, sameAs }: FieldProblem,
  least: string,
): string {
  if (isHalfMasked) return t(field === "email" ? "error.halfMaskedEmail" : "error.halfMasked");
  if (cepIn !== undefined) return t(field === "city" ? "error.cepCity" : "error.cepState", { place: cepIn });
  if (isOneName) return t("error.fullName");
  if (isCardNumber) return t("error.cardAsName");
  if (sameAs !== undefined) return t("error.sameCard", { number: sameAs + 1 });
  if (untaken !== undefined) return untaken ? t("error.untakenBrand", { brand: untaken }) : t("error.untakenCard");
  if (field === "amount") return isEmpty ? t("error.amountUnread") : t("error.amount", { least });
  return isEmpty && hasEmptyText(field) ? t(EMPTY_KEYS[field]) : t(ERROR_KEYS[field]);
}

export interface FieldProps {
  readonly state: FormState;
  readonly field: PlainField;
  readonly label: string;
  readonly card?: number;
  readonly width?: "s2" | "s3" | "s4";
  readonly hint?: string;
  readonly isOptional?: boolean;
  readonly autoComplete?: string;
  readonly inputMode?: "numeric" | "email" | "text";
  readonly type?: "text" | "email";
  readonly maxLength?: number;
  readonly placeholder?: string;
  readonly adornment?: ReactNode;
}

export function CheckoutField(props: FieldProps) {
  const { state, field, label, card, width, hint, isOptional, adornment } = props;
  const t = getTranslations("checkout", state.locale);
  const { id, isWrong, found, describedBy } = wiring(state, field, card, hint !== undefined);
  const kept = card === undefined ? state.known?.[field] : undefined;
  return (
    <div className={width ? `f ${width}` : "f"}>
      <label htmlFor={id}>
        {label}
        {isOptional ? <em>{t("field.optional")}</em> : null}
      </label>
      <div className="in">
        <input
          id={id}
          name={inputName(field, card)}
          data-field={field}
          type={props.type ?? "text"}
          inputMode={props.inputMode}
          autoComplete={props.autoComplete}
          maxLength={props.maxLength}
          placeholder={props.placeholder}
          defaultValue={state.values[inputName(field, card)] ?? kept ?? ""}
          data-kept={kept}
          required={!isOptional}
          aria-invalid={isWrong || undefined}
          aria-describedby={describedBy}
          spellCheck={false}
          autoCapitalize={field === "cardHolderName" ? "characters" : undefined}
        />
        {adornment}
      </div>
      {hint ? (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      ) : null}
      {field === "email" ? <LikelyEmail t={t} typed={isWrong ? "" : (state.values.email ?? "")} /> : null}
      <ErrorLine id={id} text={errorText(t, found ?? { field }, "")} isShown={isWrong} />
    </div>
  );
}

/** Without a script it only asks; with one the question is a button. */
export function LikelyEmail({ t, typed }: { t: Words; typed: string }) {
  const email = likelyEmail(typed);
  return (
    <p className="hint" data-meant={t("field.emailMeant", { email: "{email}" })} hidden={email === ""}>
      {email ? t("field.emailMeant", { email }) : ""}
    </p>
  );
}

export function ErrorLine({ id, text, isShown }: { id: string; text: string; isShown: boolean }) {
  return (
    <p className="err" id={`${id}-error`} hidden={!isShown}>
      {text}
    </p>
  );
}

export function wiring(state: FormState, field: FieldName, card: number | undefined, hasHint: boolean) {
  const id = inputId(state.form, field, card);
  const found = state.problems.find((problem) => problem.field === field && problem.card === card);
  const isWrong = found !== undefined;
  const describedBy =
    [hasHint ? `${id}-hint` : "", isWrong ? `${id}-error` : ""].filter(Boolean).join(" ") || undefined;
  return { id, isWrong, isEmpty: found?.isEmpty === true, found, describedBy };
}

interface SelectProps {
  readonly state: FormState;
  readonly field: PlainField;
  readonly label: string;
  readonly card?: number;
  readonly width?: "s2" | "s3" | "s4";
  readonly options: readonly { readonly value: string; readonly text: string; readonly isOff?: boolean | undefined }[];
  readonly empty?: string;
  readonly autoComplete?: string;
}

export function CheckoutSelect({ state, field, label, card, width, options, empty, autoComplete }: SelectProps) {
  const t = getTranslations("checkout", state.locale);
  const { id, isWrong, found, describedBy } = wiring(state, field, card, false);
  return (
    <div className={width ? `f ${width}` : "f"}>
      <label htmlFor={id}>{label}</label>
      <div className="in sel">
        <select
          id={id}
          name={inputName(field, card)}
          data-field={field}
          autoComplete={autoComplete}
          defaultValue={
            state.values[inputName(field, card)] ??
            (empty === undefined ? options[0]?.value : (state.known?.[field] ?? ""))
          }
          aria-invalid={isWrong || undefined}
          aria-describedby={describedBy}
          required
        >
          {empty === undefined ? null : <option value="">{empty}</option>}
          {options.map(({ value, text, isOff }) => (
            <option key={value} value={value} disabled={isOff} hidden={isOff}>
              {text}
            </option>
          ))}
        </select>
      </div>
      <ErrorLine id={id} text={errorText(t, found ?? { field }, "")} isShown={isWrong} />
    </div>
  );
}

interface PayButtonProps {
  readonly locale: Locale;
  readonly text: string;
  readonly icon: "lock" | "pix" | "boleto";
  /** Without one it could only be refused: the form says so in its place. */
  readonly needsScript?: boolean;
}

export function PayButton({ locale, text, icon, needsScript = false }: PayButtonProps) {
  const t = getTranslations("checkout", locale);
  return (
    <button className={`btn go${needsScript ? " js" : ""}`} type="submit" data-sending={t("button.sending")}>
      <span className="spin" aria-hidden="true" />
      <Icon name={icon} size={18} />
      <span>{text}</span>
    </button>
  );
}

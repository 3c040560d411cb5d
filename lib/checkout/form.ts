import type { CardHolder } from "@/db/schema/customers";
import { type Brand, containsPan, luhnOk } from "@/lib/brazil/card-brand";
import { cityOfCep, otherCityOfCep, otherStateOfCep, stateOfCep } from "@/lib/brazil/cep";
import { cnpjOk, cpfOk, typedTaxId } from "@/lib/brazil/cpf-cnpj";
import { untakenBrand } from "@/lib/checkout/brands";
import { typedExpiry } from "@/lib/checkout/expiry";
import { isFullName } from "@/lib/checkout/full-name";
import { isMasked, maskOf } from "@/lib/checkout/masks";
import { sharedAmount } from "@/lib/checkout/shared-amount";
import type { FieldName, FieldProblem, TypedValues } from "@/lib/checkout/view";
import { withoutDirectionMarks } from "@/lib/direction-marks";
import type { CardData } from "@/lib/tokens/schema";

/** What a buyer typed, read strictly; what does not fit is named field by field. */

const NAME_LENGTH = 120;
const LINE_LENGTH = 255;
const EMAIL_LENGTH = 254;
const ZIP_DIGITS = 8;
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
const CVV = /^\d{3,4}$/;
/** Taken on sandbox accounts alone: the anti-fraud denies it. */
const SANDBOX_DOCUMENT = "11111111111";

/** Never sent back to a page. */
const SECRET = /^(cardNumber|cardCvv)\d?$/;
/** Tokens of captcha services are the longest values of a form. */
const LONGEST_VALUE = 4_096;

export type TypedForm = ReadonlyMap<string, string>;

export const formOf = (body: string): TypedForm =>
  new Map([...new URLSearchParams(body)].map(([name, value]) => [name, value.slice(0, LONGEST_VALUE)]));

/** What may stand in the fields again after an error. */
export const keptValues = (form: TypedForm, emptied?: string): TypedValues =>
  Object.fromEntries(
    [...form].flatMap(([name, value]) =>
      SECRET.test(name) || name === emptied ? [] : [[name, withoutDirectionMarks(value)]],
    ),
  );

/** Whether a card that is none of the saved ones was begun: its number and code are not in the next page. */
export const isCardTyped = (form: TypedForm): boolean =>
  [...form].some(
    ([name, value]) =>
      SECRET.test(name) && value.trim() !== "" && !form.get(`savedCard${/\d?$/.exec(name)?.[0] ?? ""}`),
  );

export interface Person {
  readonly name: string;
  readonly document: { readonly type: "CPF" | "CNPJ"; readonly number: string };
  /** Empty when none was given. */
  readonly email: string;
}

export interface TypedAddress {
  readonly zipCode: string;
  readonly street: string;
  readonly streetNumber: string;
  readonly complement: string | undefined;
  readonly district: string;
  readonly city: string;
  readonly state: string;
  readonly country: string;
}

export interface Reader {
  readonly form: TypedForm;
  readonly isSandbox: boolean;
  readonly problems: FieldProblem[];
  /** What stands behind the masks of the page that sent the form. */
  readonly known: ReadonlyMap<FieldName, string> | undefined;
}

export const readerOf = (form: TypedForm, isSandbox: boolean, known?: Reader["known"]): Reader => ({
  form,
  isSandbox,
  problems: [],
  known,
});

function given({ form, known }: Reader, field: FieldName, card?: number): string {
  const typed = withoutDirectionMarks(form.get(card === undefined ? field : `${field}${card}`) ?? "").trim();
  if (!isMasked(typed)) return typed;
  const kept = known?.get(field);
  return kept !== undefined && typed === maskOf(field, kept) ? kept : "";
}

/** Something was typed into a mask: neither what stood there nor anything whole. */
function isHalfMasked(reader: Reader, field: FieldName, card?: number): boolean {
  const typed = reader.form.get(card === undefined ? field : `${field}${card}`) ?? "";
  return isMasked(typed) && given(reader, field, card) === "";
}

/** Whether anything of the form was left as the page had filled it in. */
export const hasMasks = (form: TypedForm): boolean => [...form.values()].some(isMasked);

function wrong(reader: Reader, field: FieldName, card?: number): void {
  const how = isHalfMasked(reader, field, card)
    ? { isHalfMasked: true }
    : given(reader, field, card) === ""
      ? { isEmpty: true }
      : {};
  reader.problems.push({ field, ...(card === undefined ? {} : { card }), ...how });
}

/** A card number in its place would be kept in clear. */
const isName = (text: string): boolean => /\p{L}/u.test(text) && !containsPan(text);

function refuseName(reader: Reader, field: "name" | "cardHolderName", value: string, card?: number): void {
  if (isName(value)) return;
  if (containsPan(value)) reader.problems.push({ field, ...(card === undefined ? {} : { card }), isCardNumber: true });
  else wrong(reader, field, card);
}

function line(reader: Reader, field: FieldName, most: number): string {
  const value = given(reader, field);
  if (field === "name" && value.length <= most) refuseName(reader, field, value);
  else if (value === "" || value.length > most || containsPan(value)) wrong(reader, field);
  return value;
}

export function readPerson(reader: Reader, holderName?: string): Person {
  const name = holderName ?? line(reader, "name", NAME_LENGTH);
  const number = typedTaxId(given(reader, "document"));
  const isDenied = reader.isSandbox && number === SANDBOX_DOCUMENT;
  const type = cnpjOk(number) ? "CNPJ" : "CPF";
  if (type === "CPF" && !cpfOk(number) && !isDenied) wrong(reader, "document");
  return { name, document: { type, number }, email: readEmail(reader) };
}

/** Of one card among several: whoever it belongs to, the first card's holder where nobody else is named. */
export function readHolder(reader: Reader, name: string, card: number, first: Person): CardHolder | undefined {
  const typed = card === 0 ? "" : given(reader, "document", card);
  if (typed === "") return first.document.number === "" ? undefined : { name, document: first.document };
  const number = typedTaxId(typed);
  const isCnpj = cnpjOk(number);
  if (!isCnpj && !cpfOk(number)) wrong(reader, "document", card);
  return { name, document: { type: isCnpj ? "CNPJ" : "CPF", number } };
}

/** Empty when none was given, which only somebody who wants to be remembered may not. */
export function readEmail(reader: Reader): string {
  const email = given(reader, "email").toLowerCase();
  const isMissing = isToRemember(reader.form) || isHalfMasked(reader, "email");
  if (email === "" ? isMissing : emailOf(email) === "") wrong(reader, "email");
  return email;
}

/** Lower case; empty for what is none. */
export function emailOf(text: string): string {
  const email = text.trim().toLowerCase();
  return EMAIL.test(email) && email.length <= EMAIL_LENGTH ? email : "";
}

/** The buyer agreed to be remembered. */
export const isToRemember = (form: TypedForm): boolean => form.get("remember") === "1";

/** Banks register a boleto to a person's full name, or to a company, and to an address. */
export function readSlipPayer(reader: Reader): { person: Person; address: TypedAddress } {
  const person = readPerson(reader);
  const isNamed = !reader.problems.some(({ field }) => field === "name");
  if (isNamed && person.document.type === "CPF" && !isFullName(person.name))
    reader.problems.push({ field: "name", isOneName: true });
  return { person, address: readAddress(reader) };
}

function readAddress(reader: Reader): TypedAddress {
  const zipCode = given(reader, "zipCode").replace(/\D/g, "");
  if (zipCode.length !== ZIP_DIGITS) wrong(reader, "zipCode");
  const address = {
    zipCode,
    street: line(reader, "street", LINE_LENGTH),
    streetNumber: line(reader, "streetNumber", LINE_LENGTH),
    complement: complementIn(reader),
    district: line(reader, "district", LINE_LENGTH),
    city: cityIn(reader, zipCode),
    state: stateIn(reader, zipCode),
    country: "BR",
  };
  refuseOtherPlace(reader, address);
  return address;
}

/** What the CEP contradicts; of most cities a CEP says nothing. */
function refuseOtherPlace({ problems }: Reader, { zipCode, state, city }: TypedAddress): void {
  const inState = otherStateOfCep(zipCode, state);
  const inCity = inState ? "" : otherCityOfCep(zipCode, city);
  if (inState) problems.push({ field: "state", cepIn: inState });
  if (inCity) problems.push({ field: "city", cepIn: inCity });
}

function complementIn(reader: Reader): string | undefined {
  const value = given(reader, "complement").slice(0, LINE_LENGTH);
  if (containsPan(value) || isHalfMasked(reader, "complement")) wrong(reader, "complement");
  return value || undefined;
}

/** As the state: what was left out follows from the CEP, where it does. */
function cityIn(reader: Reader, zipCode: string): string {
  const isLeftOut = given(reader, "city") === "" && !isHalfMasked(reader, "city");
  return (isLeftOut && cityOfCep(zipCode)) || line(reader, "city", LINE_LENGTH);
}

const stateIn = (reader: Reader, zipCode: string): string =>
  (given(reader, "state") === "" && stateOfCep(zipCode)) || line(reader, "state", 2);

export function typedCard(reader: Reader, thisMonth: string, card?: number): CardData {
  const number = given(reader, "cardNumber", card).replace(/\D/g, "");
  if (number.length < 13 || number.length > 19 || !luhnOk(number)) wrong(reader, "cardNumber", card);
  const holder = given(reader, "cardHolderName", card);
  if (holder.length > NAME_LENGTH) wrong(reader, "cardHolderName", card);
  else refuseName(reader, "cardHolderName", holder, card);
  const expiry = typedExpiry(given(reader, "cardExpiration", card));
  if (expiry === undefined || `${expiry.year}-${expiry.month}` < thisMonth) wrong(reader, "cardExpiration", card);
  return {
    cardNumber: number,
    cardHolderName: holder,
    cardExpirationDate: expiry ? `${expiry.month}/${expiry.year}` : "",
    cardCvv: typedCvv(reader, card),
  };
}

/** Said in the field, before anything is sent: no bank would be asked. */
export function refuseBrands(
  reader: Reader,
  taken: readonly Brand[],
  cards: readonly (Pick<CardData, "cardNumber"> | undefined)[],
): void {
  for (const [index, card] of cards.entries()) {
    const place = cards.length === 1 ? {} : { card: index };
    const isWrong = reader.problems.some((each) => each.field === "cardNumber" && each.card === place.card);
    const untaken = card && !isWrong ? untakenBrand(taken, card.cardNumber) : undefined;
    if (untaken !== undefined) reader.problems.push({ field: "cardNumber", ...place, untaken });
  }
}

export function typedCvv(reader: Reader, card?: number): string {
  const cvv = given(reader, "cardCvv", card).replace(/\s/g, "");
  if (!CVV.test(cvv)) wrong(reader, "cardCvv", card);
  return cvv;
}

export function readInstallments(reader: Reader, most: number, card?: number): number {
  const count = Number(given(reader, "installments", card) || "1");
  if (Number.isInteger(count) && count >= 1 && count <= most) return count;
  wrong(reader, "installments", card);
  return 1;
}

/** Of one card, in cents. */
export function readSharedAmount(reader: Reader, least: number, card: number, locale: string): number {
  const cents = sharedAmount(given(reader, "amount", card), locale);
  if (cents === undefined) reader.problems.push({ field: "amount", card, isEmpty: true });
  else if (cents < least) wrong(reader, "amount", card);
  return cents ?? 0;
}

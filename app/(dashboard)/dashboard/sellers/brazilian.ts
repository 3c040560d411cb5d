import { phoneIn } from "@/app/(dashboard)/dashboard/sellers/phone";
import type { Issue } from "@/app/(dashboard)/dashboard/sellers/unfit";
import { saoPauloDay } from "@/lib/brazil/bank-calendar";
import { STATES, stateOfCep } from "@/lib/brazil/cep";
import { cnpjOk, cpfOk, normalizeTaxId } from "@/lib/brazil/cpf-cnpj";
import { policyProblems } from "@/lib/sellers/schema";
import { realNow } from "@/lib/time";

interface Person {
  phoneNumber?: string;
  document?: { number?: string };
  address?: Address;
  birthdate?: string;
}
interface Address {
  country?: string;
  state?: string;
  zipCode?: string;
}

/** What a form of a seller or a vendor makes: each member is the text that was typed, absent where it is empty. */
interface Typed {
  owner?: Person;
  business?: Person;
  address?: Address;
  identity?: string;
  identityType?: string;
  bankAccount?: { holderDocument?: string; bank?: string };
  transferPolicy?: { transferInterval?: string; transferDay?: string };
}

const GROWN_YEARS = 18;
const OLDEST_YEARS = 120;

/** What a service would refuse only once the schema is content: told with the rest, so that nobody sends twice. */
export function brazilianIssues(body: Typed): Issue[] {
  const { owner, business, address, identity, identityType, bankAccount, transferPolicy } = body;
  const wrong: (readonly [isWrong: boolean, path: string])[] = [
    [isGiven(owner?.document?.number, cpfOk), "owner.document.number"],
    [isGiven(business?.document?.number, cnpjOk), "business.document.number"],
    [isGiven(owner?.phoneNumber, isPhone), "owner.phoneNumber"],
    [isGiven(business?.phoneNumber, isPhone), "business.phoneNumber"],
    [isGiven(identity, identityType === "CPF" ? cpfOk : cnpjOk), "identity"],
    [lacksZip(owner?.address), "owner.address.zipCode"],
    [lacksZip(business?.address), "business.address.zipCode"],
    [lacksZip(address), "address.zipCode"],
    [isGiven(bankAccount?.holderDocument, holds(owner, business)), "bankAccount.holderDocument"],
    [isGiven(owner?.birthdate, isGrown), "owner.birthdate"],
    [lacksState(owner?.address), "owner.address.state"],
    [lacksState(business?.address), "business.address.state"],
    [lacksState(address), "address.state"],
    [isDayWrong(transferPolicy, "weekly"), "transferPolicy.weekday"],
    [isDayWrong(transferPolicy, "monthly"), "transferPolicy.monthDay"],
    [isGiven(bankAccount?.bank, mayBeBank), "bankAccount.bank"],
  ];
  return wrong.filter(([isWrong]) => isWrong).map(([, path]) => ({ code: "custom", path: path.split(".") }));
}

const isGiven = (text: string | undefined, isRight: (text: string) => boolean): boolean =>
  text !== undefined && !isRight(text);

const isPhone = (text: string): boolean => phoneIn(text) !== undefined;

const lacksZip = ({ country, zipCode }: Address = {}): boolean =>
  country?.toUpperCase() === "BR" && isGiven(zipCode, (text) => stateOfCep(text) !== "");

const lacksState = ({ country, state }: Address = {}): boolean =>
  country?.toUpperCase() === "BR" && isGiven(state, (text) => STATES.has(text.toUpperCase()));

/** What is no day is the schema's to refuse. */
function isGrown(birthdate: string): boolean {
  const today = saoPauloDay(realNow());
  const yearsAgo = (years: number): string => `${Number(today.slice(0, 4)) - years}${today.slice(4)}`;
  return yearsAgo(OLDEST_YEARS) < birthdate && birthdate <= yearsAgo(GROWN_YEARS);
}

/** Where the form asks for the owner too, the account is theirs or the company's. */
function holds(owner: Person | undefined, business: Person | undefined): (text: string) => boolean {
  if (!owner) return (text) => cpfOk(text) || cnpjOk(text);
  const theirs = [owner, business].flatMap((one) =>
    one?.document?.number ? [normalizeTaxId(one.document.number)] : [],
  );
  return (text) => theirs.length === 0 || theirs.includes(normalizeTaxId(text));
}

type Interval = "weekly" | "monthly";

const isDayWrong = ({ transferInterval, transferDay = "" }: Typed["transferPolicy"] = {}, of: Interval): boolean =>
  transferInterval === of && policyProblems({ transferInterval: of, transferDay }).length > 0;

/** A bank can be newer than our list; these codes are none's, and what is no code is the schema's to refuse. */
const mayBeBank = (code: string): boolean => !/^(000|9\d\d)$/.test(code);

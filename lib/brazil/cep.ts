/** Last CEP, by its first five digits, of each run of addresses in one state, in order (Correios' ranges by state). */
const RUNS = (
  "19999SP 28999RJ 29999ES 39999MG 48999BA 49999SE 56999PE 57999AL 58999PB 59999RN 63999CE 64999PI 65999MA " +
  "68899PA 68999AP 69299AM 69399RR 69899AM 69999AC 72799DF 72999GO 73699DF 76799GO 76999RO 77999TO 78899MT " +
  "79999MS 87999PR 89999SC 99999RS"
)
  .split(" ")
  .map((run) => [run.slice(0, 5), run.slice(5)] as const);
/** The 26 states and the Federal District. */
export const STATES: ReadonlySet<string> = new Set(RUNS.map(([, state]) => state));
const FIRST = "01000";
const DIGITS = 8;
const BOUND = 5;

/** The first five digits of a CEP, with whatever people write between its digits; empty for what is none. */
function headOf(text: string): string {
  const digits = text.replace(/\D/g, "");
  return digits.length === DIGITS ? digits.slice(0, BOUND) : "";
}

/** `01310-100`; anything else as it is. */
export function maskCep(text: string): string {
  const head = headOf(text);
  return head === "" ? text : `${head}-${text.replace(/\D/g, "").slice(BOUND)}`;
}

/** The state a CEP lies in; empty for what is no CEP. */
export function stateOfCep(text: string): string {
  const head = headOf(text);
  return head < FIRST ? "" : (RUNS.find(([last]) => head <= last)?.[1] ?? "");
}

/** First and last CEP, by their first five digits, of the capitals (Correios' ranges by place). */
const CITIES = (
  "01000-05999São Paulo,08000-08499São Paulo,20000-23799Rio de Janeiro,29000-29099Vitória,30000-31999Belo Horizonte," +
  "40000-42499Salvador,49000-49098Aracaju,50000-52999Recife,57000-57099Maceió,58000-58099João Pessoa,59000-59139Natal," +
  "60000-61599Fortaleza,64000-64099Teresina,65000-65099São Luís,66000-66999Belém,68900-68911Macapá,69000-69099Manaus," +
  "69300-69339Boa Vista,69900-69923Rio Branco,70000-72799Brasília,73000-73699Brasília,74000-74899Goiânia," +
  "76800-76834Porto Velho,77000-77099Palmas,78000-78099Cuiabá,79000-79124Campo Grande,80000-82999Curitiba," +
  "88000-88099Florianópolis,90000-91999Porto Alegre"
).split(",");
/** The capital a CEP lies in; empty for any other place. */
export function cityOfCep(text: string): string {
  const head = headOf(text);
  const found = CITIES.find((run) => head >= run.slice(0, BOUND) && head <= run.slice(BOUND + 1, 2 * BOUND + 1));
  return head === "" || !found ? "" : found.slice(2 * BOUND + 1);
}

/** The state a CEP lies in, where another one was chosen; empty where nothing contradicts it. */
export function otherStateOfCep(cep: string, state: string): string {
  const own = stateOfCep(cep);
  return state === "" || own === state ? "" : own;
}

const lettersOf = (text: string): string =>
  text
    .normalize("NFD")
    .toLowerCase()
    .replace(/[^a-z]/g, "");
/** Its places go by names of their own. */
const FEDERAL_CITY = "Brasília";

/**
 * The capital a CEP lies in, where another city was written. People write names short ("SP", "S. Paulo") or say more
 * ("São Paulo - SP").
 */
export function otherCityOfCep(cep: string, city: string): string {
  const own = cityOfCep(cep);
  const [name, written] = [lettersOf(own), lettersOf(city)];
  if (own === FEDERAL_CITY || written === "" || written.includes(name)) return "";
  let read = 0;
  for (const letter of name) if (letter === written[read]) read++;
  return read === written.length && written[0] === name[0] ? "" : own;
}

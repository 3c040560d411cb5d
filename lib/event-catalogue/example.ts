import { z } from "zod";
import type { EventDeclaration } from "@/lib/event-catalogue/catalogue";

interface Shape {
  type?: string | string[];
  format?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Shape[];
  oneOf?: Shape[];
  allOf?: Shape[];
  properties?: Record<string, Shape>;
  items?: Shape;
  minimum?: number;
  $ref?: string;
  $defs?: Record<string, Shape>;
}

const ID = "0192f1c4-8a10-7c3e-9b55-0d2f6a7e1c01";
const AT = "2026-11-20T14:03:07.515Z";
const DAY = "2026-11-20";
const AMOUNT = 10_500;

/** Words that read better than a placeholder, by the member's name. */
const TEXTS: Readonly<Record<string, string>> = {
  brand: "visa",
  cardHolderName: "ANA SOUZA",
  city: "São Paulo",
  country: "BR",
  currency: "BRL",
  district: "Bela Vista",
  email: "ana@example.com",
  expirationMonth: "12",
  expirationYear: "2031",
  fingerprint: "5b2f0c7e9d1a4386",
  first6digits: "411122",
  last4digits: "0002",
  name: "Ana Souza",
  orderId: "A-1001",
  paymentLink: `https://loja.example/pay/${ID}`,
  phoneNumber: "+5511912345678",
  state: "SP",
  statementDescriptor: "LOJA AZUL",
  street: "Rua das Flores",
  streetNumber: "100",
  zipCode: "01310100",
};

const FORMATS: Readonly<Record<string, unknown>> = {
  uuid: ID,
  "date-time": AT,
  date: DAY,
  uri: "https://loja.example",
  email: "ana@example.com",
};

/** One value that the schema describes: the first of its choices, absent where it may be. */
function sampleOf(shape: Shape, name: string, defs: Record<string, Shape>): unknown {
  if (shape.$ref) return sampleOf(referred(shape, defs), name, defs);
  if (shape.const !== undefined) return shape.const;
  if (Array.isArray(shape.type)) {
    return shape.type.includes("null") ? null : sampleOf({ ...shape, type: shape.type[0] }, name, defs);
  }
  if (shape.enum) return shape.enum[0];
  const choice = shape.anyOf ?? shape.oneOf;
  if (choice) return choice.some(({ type }) => type === "null") ? null : sampleOf(choice[0] ?? {}, name, defs);
  if (shape.allOf) return Object.assign({}, ...shape.allOf.map((each) => sampleOf(each, name, defs)));
  if (shape.format && shape.format in FORMATS) return FORMATS[shape.format];
  if (shape.type === "object") {
    return Object.fromEntries(
      Object.entries(shape.properties ?? {}).map(([member, inner]) => [member, sampleOf(inner, member, defs)]),
    );
  }
  if (shape.type === "array") return shape.items ? [sampleOf(shape.items, name, defs)] : [];
  if (shape.type === "boolean") return true;
  if (shape.type === "integer" || shape.type === "number") return numberOf(name, shape);
  return TEXTS[name] ?? (name.endsWith("Id") ? ID : name);
}

const referred = ({ $ref = "" }: Shape, defs: Record<string, Shape>): Shape => defs[$ref.replace("#/$defs/", "")] ?? {};

const numberOf = (name: string, { minimum = 0 }: Shape): number =>
  /amount$/i.test(name) ? AMOUNT : Math.max(1, minimum);

/** An event as it is sent, made from its declaration. */
export function exampleOf({ object, event, data }: EventDeclaration): Record<string, unknown> {
  const schema = z.toJSONSchema(data, { io: "output", unrepresentable: "any", reused: "inline" }) as Shape;
  const snapshot = sampleOf(schema, "data", schema.$defs ?? {}) as Record<string, unknown>;
  return {
    id: "0192f230-0000-7000-8000-000000000001",
    object,
    event,
    apiVersion: "1.1",
    entityVersion: 2,
    createdAt: AT,
    data: "status" in snapshot ? { ...snapshot, status: statusAfter(event, schema) ?? snapshot.status } : snapshot,
  };
}

/** Where the object stands then, when that is not called like the event. */
const STATUSES: Readonly<Record<string, string>> = {
  partially_voided: "authorized",
  dispute: "authorized",
  dispute_closed: "authorized",
  revert_void: "authorized",
  probe_void: "voided",
  extra_payment: "canceled",
  extra_payment_returned: "canceled",
  fired: "firing",
  recovered: "quiet",
};

function statusAfter(event: string, schema: Shape): string | undefined {
  const { properties } = schema.$ref ? referred(schema, schema.$defs ?? {}) : schema;
  return [event, STATUSES[event] ?? ""].find((status) => properties?.status?.enum?.includes(status));
}

import { z } from "zod";
import type { Product } from "@/lib/testing/providers/cielo/objects";
import type { Contract, Exchanged } from "@/lib/testing/providers/kit/contract";

/**
 * What the manuals of Cielo's API E-commerce 3.0 (developercielo.github.io, docs.cielo.com.br/ecommerce-cielo) and of
 * Braspag's Pagador (braspag.github.io, docs.cielo.com.br/gateway) say of the calls that are made here, read on
 * 2026-11-23. They publish no document that a machine reads. Unknown members are refused on both sides; members that we
 * neither send nor read are left out.
 */
const text = (most: number) => z.string().min(1).max(most);
const cents = z.int().min(0).max(999_999_999_999_999);
/** The least of what all of them take: letters and digits alone. */
const order = z.string().regex(/^[a-zA-Z0-9]{1,25}$/);
const customer = z.strictObject({
  Name: text(255),
  Identity: text(14).optional(),
  IdentityType: z.enum(["CPF", "CNPJ"]).optional(),
  Email: text(255).optional(),
});
const slipCustomer = customer.extend({
  Name: text(34),
  Identity: text(14),
  Address: z.strictObject({
    Street: text(70),
    Number: text(10),
    ZipCode: z.string().regex(/^\d{8}$/),
    District: text(50),
    City: text(50),
    State: z.string().regex(/^[A-Z]{2}$/),
    Country: z.literal("BRA"),
  }),
});
const CARD = {
  CardNumber: z.string().regex(/^\d{13,19}$/),
  Holder: text(25),
  ExpirationDate: z.string().regex(/^\d{2}\/\d{4}$/),
  SecurityCode: z
    .string()
    .regex(/^\d{3,4}$/)
    .optional(),
  Brand: z.enum(["Visa", "Master", "Amex", "Elo", "Aura", "JCB", "Diners", "Discover", "Hipercard"]),
};
const PAYMENT = {
  Type: z.literal("CreditCard"),
  Amount: cents.min(1),
  Currency: z.literal("BRL"),
  Country: z.literal("BRA"),
  Installments: z.int().min(1).max(99),
  Interest: z.enum(["ByMerchant", "ByIssuer"]),
  Capture: z.boolean(),
  Authenticate: z.boolean(),
  Recurrent: z.boolean(),
  SoftDescriptor: text(13).optional(),
  CreditCard: z.strictObject({
    ...CARD,
    SaveCard: z.literal(false),
    CardOnFile: z
      .strictObject({ Usage: z.enum(["First", "Used"]), Reason: z.enum(["Recurring", "Unscheduled", "Installments"]) })
      .optional(),
  }),
  IssuerTransactionId: text(15).optional(),
  InitiatedTransactionIndicator: z
    .strictObject({
      Category: z.enum(["C1", "M1", "M2"]),
      Subcategory: z.enum(["CredentialsOnFile", "StandingOrder", "Subscription", "Installment"]),
    })
    .optional(),
  ExternalAuthentication: z
    .strictObject({
      Eci: z.string().regex(/^\d$/),
      Cavv: text(64).optional(),
      Xid: text(64).optional(),
      Version: z.string().regex(/^\d$/).optional(),
      ReferenceId: text(36).optional(),
      DataOnly: z.boolean().optional(),
    })
    .optional(),
};
/** Of a buyer who was authenticated, and taken at once; Visa, Mastercard and Elo alone. */
const { CreditCard: CARD_USED, ExternalAuthentication, ...ANY } = PAYMENT;
const DEBIT = {
  ...ANY,
  Type: z.literal("DebitCard"),
  Installments: z.literal(1),
  Capture: z.literal(true),
  Authenticate: z.literal(true),
  DebitCard: CARD_USED.extend({ Brand: z.enum(["Visa", "Master", "Elo"]) }),
  ExternalAuthentication: ExternalAuthentication.unwrap(),
  ReturnUrl: text(1_024),
};
const pix = { Type: z.literal("Pix"), Amount: cents.min(1) };
const life = z.int().min(1).max(86_400);
const boleto = (provider: z.ZodType) =>
  z.strictObject({
    Type: z.literal("Boleto"),
    Provider: provider,
    Amount: cents.min(1),
    ExpirationDate: z.iso.date(),
    Instructions: text(255).optional(),
  });
const saleRequest = (payment: z.ZodType, buyer: z.ZodType = customer) =>
  z.strictObject({ MerchantOrderId: order, Customer: buyer, Payment: payment });

const sales: Record<Product, z.ZodType> = {
  CIELO: z.union([
    saleRequest(z.strictObject(PAYMENT)),
    saleRequest(z.strictObject(DEBIT)),
    saleRequest(
      z.strictObject({ ...pix, Provider: z.literal("Cielo2"), QrCode: z.strictObject({ Expiration: life }) }),
    ),
    saleRequest(boleto(z.enum(["Bradesco2", "BancoDoBrasil2", "Simulado"])), slipCustomer),
  ]),
  BRASPAG: z.union([
    saleRequest(z.strictObject({ ...PAYMENT, Provider: text(15) })),
    saleRequest(z.strictObject({ ...DEBIT, Provider: text(15) })),
    saleRequest(z.strictObject({ ...pix, Provider: z.enum(["Cielo2", "Bradesco2"]), QrCodeExpiration: life })),
    saleRequest(boleto(text(15)), slipCustomer),
  ]),
};

const zeroAuth: Record<Product, z.ZodType> = {
  CIELO: z.strictObject({ CardType: z.enum(["CreditCard", "DebitCard"]), ...CARD }),
  BRASPAG: z.strictObject({ Provider: text(15), Card: z.strictObject({ ...CARD, Type: z.literal("CreditCard") }) }),
};

const date = z.string().regex(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/);
const sale = z.strictObject({
  MerchantOrderId: z.string(),
  Customer: z.strictObject({ Name: z.string() }),
  Payment: z.strictObject({
    PaymentId: z.guid(),
    Type: z.string(),
    Status: z.int(),
    Amount: cents,
    Currency: z.string(),
    Country: z.string(),
    ReceivedDate: date,
    Installments: z.int().optional(),
    Capture: z.boolean().optional(),
    CreditCard: z.strictObject({ CardNumber: z.string(), Brand: z.string(), SaveCard: z.boolean() }).optional(),
    DebitCard: z.strictObject({ CardNumber: z.string(), Brand: z.string(), SaveCard: z.boolean() }).optional(),
    ProofOfSale: z.string().optional(),
    AuthorizationCode: z.string().optional(),
    IssuerTransactionId: z.string().max(15).optional(),
    Provider: z.string().optional(),
    ReturnCode: z.string().optional(),
    ReturnMessage: z.string().optional(),
    ProviderReturnCode: z.string().optional(),
    ProviderReturnMessage: z.string().optional(),
    MerchantAdviceCode: z.string().optional(),
    CapturedAmount: cents.optional(),
    CapturedDate: date.optional(),
    VoidedAmount: cents.optional(),
    VoidedDate: date.optional(),
    Refunds: z.array(z.strictObject({ Amount: cents, Status: z.int().min(0).max(5), ReceivedDate: date })).optional(),
    Chargebacks: z
      .array(
        z.strictObject({
          Amount: cents,
          CaseNumber: z.string(),
          Date: z.iso.date(),
          ReasonCode: z.string(),
          ReasonMessage: z.string(),
          Status: z.string(),
        }),
      )
      .optional(),
    EndToEndId: z.string().optional(),
    QrCodeBase64Image: z.string().optional(),
    QrCodeString: z.string().optional(),
    DigitableLine: z.string().optional(),
    BarCodeNumber: z.string().length(44).optional(),
    Url: z.string().optional(),
    BoletoNumber: z.string().optional(),
    ExpirationDate: z.iso.date().optional(),
    Links: z.array(z.unknown()),
  }),
});
const change = z.strictObject({
  Status: z.int(),
  ReasonCode: z.int(),
  ReasonMessage: z.string(),
  ReturnCode: z.string(),
  ReturnMessage: z.string(),
  Links: z.array(z.unknown()),
});
const listed = z.array(z.strictObject({ PaymentId: z.guid(), ReceveidDate: z.string() }));
const list = z.union([z.strictObject({ Payment: listed }), z.strictObject({ Payments: listed })]);
const checked = z.union([
  z.strictObject({
    Valid: z.boolean(),
    ReturnCode: z.string(),
    ReturnMessage: z.string(),
    IssuerTransactionId: z.string(),
  }),
  z.strictObject({ Status: z.int(), ProviderReturnCode: z.string(), ProviderReturnMessage: z.string() }),
]);
const errorAnswer = z.array(z.strictObject({ Code: z.int(), Message: z.string() }));

interface Operation {
  query?: readonly string[];
  request?: z.ZodType;
  answer: z.ZodType;
}
const operationsOf = (product: Product): Readonly<Record<string, Operation>> => ({
  "POST sales": { request: sales[product], answer: sale },
  "GET sales": { query: ["merchantOrderId"], answer: list },
  "GET sales/id": { answer: sale },
  "PUT sales/id/capture": {
    query: ["amount"],
    answer: change,
    request: z.undefined(),
  },
  "PUT sales/id/void": {
    query: ["amount"],
    answer: change,
    request: z.undefined(),
  },
  "POST zeroauth": { request: zeroAuth[product], answer: checked },
});

const SHORT: Record<Product, Readonly<Record<string, string>>> = {
  CIELO: { "/1/sales": "sales", "/1/zeroauth": "zeroauth" },
  BRASPAG: { "/v2/sales": "sales", "/v2/verifycard": "zeroauth" },
};

/** Without the version, and without ids. */
export function operationOf(product: Product, { method, path }: Pick<Exchanged, "method" | "path">): string {
  const [, version = "", resource = "", id, action] = path.split("/");
  const short = SHORT[product][`/${version}/${resource}`] ?? path;
  return [`${method} ${short}`, ...(id ? ["id"] : []), ...(action ? [action] : [])].join("/");
}

const REFUSED = 400;
const said = (where: string, { error }: { error?: z.ZodError | undefined }): string[] =>
  (error?.issues ?? []).slice(0, 5).map(({ path, message }) => `${where}: ${path.join(".")} ${message}`);

export const contractOf = (product: Product): Contract => {
  const operations = operationsOf(product);
  return {
    requestBreaches(request) {
      const name = operationOf(product, request);
      const known = operations[name];
      if (!known) return [`${name} is not in the manual`];
      const foreign = [...(request.query?.keys() ?? [])].filter((one) => !known.query?.includes(one));
      return [
        ...foreign.map((one) => `${name} has no member ${one} in its query`),
        ...(known.request ? said(name, known.request.safeParse(request.body)) : []),
      ];
    },
    answerBreaches(request, status, body) {
      const name = operationOf(product, request);
      const schema = status >= REFUSED ? errorAnswer : operations[name]?.answer;
      return schema ? said(`${status} of ${name}`, schema.safeParse(body)) : [];
    },
  };
};

import { ADDRESS } from "@/e2e/address";

/** The body of a new seller, with an account of its own. */
export const aSeller = (merchantId: string, { name = "Ana Souza", cpf = "52998224725" } = {}) => ({
  merchantId,
  mcc: "5712",
  owner: {
    name,
    email: "ana@example.com",
    phoneNumber: "+5511999990000",
    birthdate: "1990-04-01",
    document: { type: "cpf", number: cpf, country: "BR" },
    address: ADDRESS,
  },
  bankAccount: {
    holderName: name,
    holderDocument: cpf,
    bank: "341",
    branchNumber: "1234",
    accountNumber: "56789",
    accountCheckDigit: "7",
    type: "conta_corrente",
  },
});

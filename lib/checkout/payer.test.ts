import { beforeAll, describe, expect, test } from "vitest";
import { newVisit } from "@/lib/checkout/visit";
import { openClient } from "@/lib/testing/api";
import { pathOf } from "@/lib/testing/buyer";
import { openLink, pressPay } from "@/lib/testing/checkout";
import { newBuyer } from "@/lib/testing/checkout-routes";
import { type Shop, withMerchant } from "@/lib/testing/payments";
import { BOLETO, openSession } from "@/lib/testing/sessions";

let shop: Shop;
beforeAll(async () => {
  shop = await withMerchant(await openClient());
});

const ADDRESS = {
  zipCode: "01310-100",
  street: "Avenida Paulista",
  streetNumber: "1000",
  district: "Bela Vista",
  city: "São Paulo",
  state: "SP",
};

/** What the form of a boleto says is wrong; nothing where a slip was made. */
async function wrongIn(fields: Record<string, string>): Promise<readonly object[]> {
  const opened = await openLink(shop, { paymentMethods: [BOLETO] });
  const outcome = await pressPay(opened, newVisit(), "boleto", { ...ADDRESS, ...fields });
  return outcome.kind === "notice" && outcome.notice.kind === "fields" ? outcome.notice.fields : [];
}

describe("the address of a boleto", () => {
  test.each([
    [{ state: "RJ" }, [{ field: "state", cepIn: "SP" }]],
    [{ zipCode: "57400-000" }, [{ field: "state", cepIn: "AL" }]],
    [{ city: "Santos" }, [{ field: "city", cepIn: "São Paulo" }]],
    [{ city: "Rio de Janeiro", state: "RJ" }, [{ field: "state", cepIn: "SP" }]],
    // One capital's name, however people write it.
    [{ city: "sao paulo - SP" }, []],
    [{ city: "S. Paulo" }, []],
    [{ city: "SP" }, []],
    // No capital's CEP: which city it is, nobody here knows.
    [{ zipCode: "11010-000", city: "Santos" }, []],
    [{ zipCode: "11010-000", city: "São Paulo" }, []],
    // Places of the Federal District are called by their own names.
    [{ zipCode: "72010-000", city: "Taguatinga", state: "DF" }, []],
    // Left out, both follow from the CEP.
    [{ city: "", state: "" }, []],
  ])("%j is told %j", async (fields, told) => expect(await wrongIn(fields)).toEqual(told));
});

describe("the name of a boleto's payer", () => {
  test.each([
    [{ name: "Ana" }, [{ field: "name", isOneName: true }]],
    [{ name: " Ana  " }, [{ field: "name", isOneName: true }]],
    [{ name: "Ana 2" }, [{ field: "name", isOneName: true }]],
    [{ name: "4111 1111 1111 1111" }, [{ field: "name", isCardNumber: true }]],
    [{ name: "Ana S." }, []],
    [{ name: "José d'Ávila" }, []],
    [{ name: "Petrobras", document: "12.345.678/0001-95" }, []],
  ])("%j is told %j", async (fields, told) => expect(await wrongIn(fields)).toEqual(told));
});

test.each([
  ["pt-BR", ["Este CEP é de SP. Confira o estado ou o CEP.", "Preencha nome e sobrenome."]],
  ["en", ["This CEP is in SP. Check the state or the CEP.", "Enter the first and last name."]],
] as const)("both are said at their fields (%s)", async (language, told) => {
  const link = await openSession(shop, { paymentMethods: [BOLETO] });
  const buyer = await newBuyer({ language });
  const page = await buyer.open(pathOf(link));
  const form = { ...ADDRESS, name: "Ana", document: "123.456.789-09", state: "RJ" };
  const { html } = await buyer.send(page, "boleto", form);
  const lineOf = (id: string) => new RegExp(`<p class="err" id="${id}-error">([^<]*)<`).exec(html)?.[1];
  expect([lineOf("boleto-state"), lineOf("boleto-name")]).toEqual(told);
  const { fields } = await buyer.sendByScript<{ fields: { name: string; message: string }[] }>(page, "boleto", form);
  expect(fields.map(({ message }) => message).toSorted()).toEqual([...told].toSorted());
});

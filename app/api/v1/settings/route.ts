import { endpoint } from "@/app/api/endpoint";
import { keepLogo } from "@/lib/settings/logo";
import { merchantIn, settingsBody, settingsInput } from "@/lib/settings/schema";
import { serializeSettings } from "@/lib/settings/serializer";
import { changeSettings, readSettings, replaceSettings } from "@/lib/settings/service";

const PATH = "/v1/settings";
const TAG = "Settings";
const FILES = { logo: "PNG or JPEG by content, at most 1000 × 1000 pixels and 2 MB; it is encoded anew" };

export const POST = endpoint({
  method: "POST",
  path: PATH,
  tag: TAG,
  summary: "Set the look of payment links",
  description: "In the same scope it replaces what was set. Colours that could not be read are adjusted when shown.",
  access: "secret",
  body: settingsInput,
  files: FILES,
  merchantHeader: true,
  inBand: true,
  reply: settingsBody,
  status: 201,
  errors: ["merchant_not_found"],
  examples: {
    colours: {
      summary: "The account's default colours",
      body: {
        mainColor: "#1B4DFF",
        SecondaryColor: "#0B1F66",
        attentionColor: "#F5A623",
        errorColor: "#D0021B",
        successColor: "#1E9E5A",
        backgroundColor: "#FFFFFF",
        companyUrl: "https://example.com",
      },
    },
  },
  async handle(ctx, { body: fields, files, headers }, answer) {
    const logo = files.logo && (await keepLogo(ctx, files.logo.bytes));
    const merchantId = merchantIn(headers);
    return answer.once(async (inside) =>
      serializeSettings(await replaceSettings(inside, { merchantId, fields, logo })),
    );
  },
});

export const GET = endpoint({
  method: "GET",
  path: PATH,
  tag: TAG,
  summary: "Read the look of payment links",
  description: "A merchant without its own has the account's default.",
  access: "secret",
  merchantHeader: true,
  reply: settingsBody,
  status: 200,
  errors: ["merchant_not_found", "settings_not_found"],
  handle: async (ctx, { headers }) => serializeSettings(await readSettings(ctx, merchantIn(headers))),
});

export const PATCH = endpoint({
  method: "PATCH",
  path: PATH,
  tag: TAG,
  summary: "Change the look of payment links",
  description: "Empty members are ignored. Only what the scope itself has is changed: nothing falls back.",
  access: "secret",
  body: settingsInput,
  files: FILES,
  merchantHeader: true,
  inBand: true,
  reply: settingsBody,
  status: 200,
  errors: ["merchant_not_found", "settings_not_found", "settings_no_effective_field"],
  examples: {
    colour: { summary: "Another button", body: { mainColor: "#1E9E5A" } },
    site: { summary: "Another address of the shop", body: { companyUrl: "https://shop.example.com" } },
  },
  async handle(ctx, { body: fields, files, headers }, answer) {
    const logo = files.logo && (await keepLogo(ctx, files.logo.bytes));
    const merchantId = merchantIn(headers);
    return answer.once(async (inside) => serializeSettings(await changeSettings(inside, { merchantId, fields, logo })));
  },
});

import { getTranslations } from "next-intl/server";
import type { TypedMember } from "@/app/(dashboard)/dashboard/sellers/typed";
import type { TaskField } from "@/components/tasks/task-input";
import type { VendorRow } from "@/lib/vendors/queries";

const LINES = ["street", "streetNumber", "complement", "district", "city", "state", "zipCode"] as const;

export const VENDOR_MEMBERS: readonly TypedMember[] = [
  ["name", "text"],
  ["referenceId", "text"],
  ["identityType", "text"],
  ["identity", "text"],
  ["mcc", "text"],
  ["email", "text"],
  ["website", "text"],
  ["phoneNumber", "text"],
  ["address.country", "text"],
  ...LINES.map((line) => [`address.${line}`, "text"] as const),
];

export async function vendorFields(vendor?: VendorRow): Promise<TaskField[]> {
  const t = await getTranslations("sellers");
  const lines = {
    street: t("street"),
    streetNumber: t("streetNumber"),
    complement: t("complement"),
    district: t("district"),
    city: t("city"),
    state: t("state"),
    zipCode: t("zipCode"),
  } as const satisfies Record<(typeof LINES)[number], string>;
  return [
    { name: "name", label: t("name"), initial: vendor?.name, isRequired: true },
    {
      name: "referenceId",
      label: t("vendorReference"),
      hint: t("vendorReferenceHint"),
      initial: vendor?.referenceId,
      isRequired: true,
    },
    {
      name: "identityType",
      label: t("vendorKind"),
      kind: "choice",
      initial: vendor?.identityType ?? "CNPJ",
      options: [
        { value: "CNPJ", label: t("cnpj") },
        { value: "CPF", label: t("cpf") },
      ],
    },
    { name: "identity", label: t("document"), initial: vendor?.identity, isRequired: true },
    { name: "mcc", label: t("mcc"), hint: t("mccHint"), kind: "number", initial: vendor?.mcc, isRequired: true },
    { name: "email", label: t("email"), kind: "email", initial: vendor?.email ?? "" },
    { name: "phoneNumber", label: t("phone"), kind: "phone", initial: vendor?.phoneNumber ?? "" },
    { name: "website", label: t("website"), hint: t("websiteHint"), initial: vendor?.website ?? "" },
    { name: "address.country", label: t("country"), initial: vendor?.address.country ?? "BR", isRequired: true },
    ...LINES.map((line) => ({
      name: `address.${line}`,
      label: lines[line],
      initial: vendor?.address[line] ?? "",
      isRequired: line !== "complement",
    })),
  ];
}

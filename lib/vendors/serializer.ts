import type { VendorRow } from "@/lib/vendors/queries";
import type { VendorBody } from "@/lib/vendors/schema";

export const serializeVendor = ({ address, ...vendor }: VendorRow): VendorBody => ({
  id: vendor.id,
  referenceId: vendor.referenceId,
  identityType: vendor.identityType,
  identity: vendor.identity,
  mcc: vendor.mcc,
  name: vendor.name,
  email: vendor.email,
  website: vendor.website,
  phoneNumber: vendor.phoneNumber,
  address: {
    country: address.country ?? "",
    state: address.state ?? "",
    city: address.city ?? "",
    district: address.district ?? "",
    zipCode: address.zipCode ?? "",
    street: address.street ?? "",
    streetNumber: address.streetNumber ?? "",
    complement: address.complement ?? null,
  },
  createdAt: vendor.createdAt,
  updatedAt: vendor.updatedAt,
});

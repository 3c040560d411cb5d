import type { PostalAddress } from "@/db/schema/customers";
import type { CustomerRow } from "@/lib/customers/queries";
import type { CustomerBody } from "@/lib/customers/schema";

export const serializeCustomer = (customer: CustomerRow): CustomerBody => ({
  id: customer.id,
  createdAt: customer.createdAt,
  updatedAt: customer.updatedAt,
  clientId: customer.clientId,
  name: customer.name,
  email: customer.email,
  phoneNumber: customer.phoneNumber,
  document: {
    type: customer.documentType,
    number: customer.documentNumber,
    country: customer.documentCountry,
  },
  address: customer.address && serializeAddress(customer.address),
  billingAddress: customer.billingAddress && serializeAddress(customer.billingAddress),
  deliveryAddress: customer.deliveryAddress && serializeAddress(customer.deliveryAddress),
  defaultCardId: customer.defaultCardId,
});

const serializeAddress = (address: PostalAddress) => ({
  street: address.street ?? null,
  streetNumber: address.streetNumber ?? null,
  zipCode: address.zipCode ?? null,
  country: address.country ?? null,
  state: address.state ?? null,
  city: address.city ?? null,
  district: address.district ?? null,
  complement: address.complement ?? null,
});

import { z } from "zod";
import { amount, optional } from "@/lib/http/fields";

/** What the anti-fraud provider is told: spec/contract.md 8.6. Everything is optional and kept as sent. */

const word = optional(z.string().max(255));
const yes = optional(z.boolean());
const number = optional(z.number());
const address = optional(
  z.object({
    country: word,
    state: word,
    city: word,
    district: word,
    zipCode: word,
    street: word,
    number: word,
    complement: word,
  }),
);

const customer = z.object({
  name: word,
  email: word,
  phone: word,
  identityType: word,
  identity: word,
  birthdate: word,
  registrationDate: word,
  maritalStatus: word,
  education: word,
  deliveryAddress: address,
  billingAddress: address,
  browser: optional(
    z.object({
      browserFingerprint: word,
      cookiesAccepted: yes,
      email: word,
      hostName: word,
      ipAddress: word,
      type: word,
    }),
  ),
});

const cart = z.object({
  isGift: yes,
  giftMessage: word,
  items: optional(
    z.array(
      z.object({
        name: word,
        quantity: number,
        sku: word,
        unitPrice: optional(amount(0)),
        risk: optional(z.enum(["High", "Low"])),
        description: word,
        categoryId: word,
        locality: word,
        date: word,
        type: number,
        genre: word,
        tickets: optional(
          z.object({
            quantityTicketSale: number,
            quantityEventHouse: number,
            convenienceFeeValue: number,
            quantityFull: number,
            quantityHalf: number,
            batch: number,
          }),
        ),
        location: address,
      }),
    ),
  ),
});

const device = z.object({
  id: word,
  sessionId: word,
  os: optional(z.object({ type: word, version: word })),
  model: word,
  ramCapacity: number,
  diskCapacity: number,
  freeDiskSpace: number,
  resolution: word,
  vendors: optional(z.array(z.object({ name: word, value: word }))),
  vendorAttributes: optional(
    z.object({
      flash: yes,
      phoneCalls: yes,
      sendSms: yes,
      videoCamera: yes,
      cpuCount: number,
      simulator: yes,
      language: word,
      idiom: word,
      platform: word,
      name: word,
      family: word,
      retinaDisplay: yes,
      camera: yes,
      model: word,
      frontCamera: yes,
    }),
  ),
});

const airline = z.object({
  passengers: optional(
    z.array(
      z.object({
        name: word,
        companyMileCard: word,
        mileCard: word,
        identityType: word,
        identityNumber: word,
        gender: optional(z.enum(["male", "female"])),
        birthdate: word,
      }),
    ),
  ),
  connections: optional(
    z.array(
      z.object({
        company: word,
        identificationNumber: word,
        date: word,
        seatClass: word,
        origin: word,
        destination: word,
        boarding: word,
        arriving: word,
        fareClass: word,
      }),
    ),
  ),
  reservation: optional(z.looseObject({})),
});

const hotel = z.object({
  name: word,
  city: word,
  state: word,
  country: word,
  reservationDate: word,
  reserveExpirationDate: word,
  checkInDate: word,
  checkOutDate: word,
});

export const fraudAnalysis = z
  .object({
    sla: number,
    customer: optional(customer),
    cart: optional(cart),
    device: optional(device),
    mfa: optional(z.object({ smsOtpUsed: yes, emailOtpUsed: yes })),
    airline: optional(airline),
    orderOrigin: optional(z.enum(["app", "web", "telesales", "social_network", "other"])),
    marketplaceType: optional(z.enum(["b2b", "b2c"])),
    operationalSystem: word,
    purchaseInformation: optional(
      z.object({
        lastDateInsertedMail: word,
        lastDateChangePassword: word,
        lastDateChangePhone: word,
        lastDateChangeMobilePhone: word,
        lastDateInsertedAddress: word,
        purchaseLogged: yes,
        email: word,
        login: word,
      }),
    ),
    socialNetwork: optional(
      z.object({
        optInCompreConfie: yes,
        socialNetworkType: optional(z.enum(["facebook", "twitter", "linkedin", "google", "other"])),
        authenticationToken: word,
      }),
    ),
    giftList: optional(
      z.object({ type: optional(z.enum(["wishlist", "wedding_list", "birthday_list", "other"])), id: word }),
    ),
    hotels: optional(z.array(hotel)),
  })
  .meta({ id: "FraudAnalysis" });

export const fraudAnalysisMetadata = z.object({
  sla: z.number().optional(),
  customer: z.looseObject({}).optional(),
  cart: z.looseObject({}).optional(),
});

import { bigint, customType, timestamp, uuid } from "drizzle-orm/pg-core";

/** Primary keys are UUIDs made by the application (version 7), so an object has its id before it is written. */
export const id = () => uuid().primaryKey();

/** An amount in cents, a safe integer. */
export const cents = () => bigint({ mode: "number" });

export const instant = () => timestamp({ withTimezone: true, precision: 3, mode: "date" });

/** Given by the application from the account's clock: a sandbox account's clock is not the database's. */
export const createdAt = () => instant().notNull();
export const updatedAt = () => instant().notNull();

export const bytes = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => "bytea" });

/** Tenant column: every table that has it gets forced row-level security from db/policies. */
export const clientId = () => uuid().notNull();

import { testDatabaseUrl } from "@/lib/testing/database";

// Imported in front of db/client.ts by the test configuration: the pool never meets a database that is not there yet.
await testDatabaseUrl();

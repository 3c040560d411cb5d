import { testFaulted } from "@/lib/testing/providers/kit/test-faulted";

testFaulted(["PAGARME_V5"]);

import { testFaulted } from "@/lib/testing/providers/kit/test-faulted";

testFaulted(["CIELO"], 8);

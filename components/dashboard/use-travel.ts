import { useRouter } from "next/navigation";
import { useMemo } from "react";
import { hasConnection, whenReachable } from "@/components/dashboard/connection";
import { mayLeave } from "@/components/dashboard/leaving";

type Router = ReturnType<typeof useRouter>;

interface Travel extends Pick<Router, "replace" | "refresh"> {
  /** Whether it goes now. */
  push: (...to: Parameters<Router["push"]>) => boolean;
}

/** The framework's router, for whoever goes somewhere without a link: nothing that would be lost is left unasked. */
export function useTravel(): Travel {
  const router = useRouter();
  return useMemo(
    () => ({
      push(href, options) {
        const go = () => void whenReachable(() => router.push(href, options));
        const isFree = mayLeave(href, go);
        if (isFree) go();
        return isFree;
      },
      replace(href, options) {
        const go = () => void whenReachable(() => router.replace(href, options));
        if (mayLeave(href, go)) go();
      },
      refresh() {
        if (hasConnection()) void whenReachable(() => router.refresh());
      },
    }),
    [router],
  );
}

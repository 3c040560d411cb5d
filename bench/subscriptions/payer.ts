import { answerQuestions } from "@/bench/processes";
import { type Club, payNow } from "@/bench/subscriptions/shop";

/** A web process of another account: it pays when asked, and answers how many milliseconds that took. */
answerQuestions(async ({ club }: { club: Club }): Promise<number> => {
  const began = performance.now();
  await payNow(club);
  return performance.now() - began;
});

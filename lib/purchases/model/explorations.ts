import { type Explored, exploreModel } from "@/lib/purchases/model/explore";
import { type Mistake, SEEDED_MISTAKES } from "@/lib/purchases/model/mistakes";

/** What is explored, and how many states it must at least have: far fewer would mean that a fault is missing. */
export const EXPLORATIONS = [
  {
    name: "3 cards, 2 providers, late messages",
    cards: 3,
    providers: 2,
    late: true,
    duplicates: false,
    least: 150_000,
  },
  {
    name: "2 cards, 2 providers, late and duplicated",
    cards: 2,
    providers: 2,
    late: true,
    duplicates: true,
    least: 200_000,
  },
] as const;

/** The smallest exploration in which each mistake can do harm: copies of answers matter to one of them alone. */
const smallestFor = (mistake: Mistake) => ({
  cards: 2,
  providers: 2,
  late: true,
  duplicates: mistake === "believesStaleAnswers",
});

/** What the model says of the plan with one mistake in it; undefined when it finds nothing wrong. */
export function caught(mistake: Mistake): string | undefined {
  const { violation, stuck }: Explored = exploreModel({ ...smallestFor(mistake), mistakes: { [mistake]: true } });
  const found = violation ?? (stuck > 0 ? `stuck: ${stuck} states` : undefined);
  return found && SEEDED_MISTAKES[mistake].test(found) ? found : undefined;
}

import { revalidatePath } from "next/cache";

/** After what may have been waiting for a person: the navigation around the pages shows how many still are. */
export const countAnew = (): void => revalidatePath("/dashboard", "layout");

import { notFound } from "next/navigation";

/** An address of no page: said inside the frame, with its menu. */
export default function UnknownPage() {
  notFound();
}

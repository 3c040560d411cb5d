export { default, generateMetadata } from "@/app/(dashboard)/dashboard/not-found";

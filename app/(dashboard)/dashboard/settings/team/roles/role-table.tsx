import { Check } from "lucide-react";
import { getTranslations } from "next-intl/server";
import { rightTexts } from "@/app/(dashboard)/right-texts";
import { roleTexts } from "@/app/(dashboard)/role-texts";
import { Card, CardHeader } from "@/components/ui/card";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table";
import { OPERATOR_ROLES } from "@/db/schema/operators";
import { may, OPTIONAL_RIGHTS } from "@/lib/operators/permissions";

/** Stays while a narrow screen scrolls to the other roles. */
const STANDING = "sticky left-0";

/** The roles that every account has, side by side, from the table that every page asks. */
export async function RoleTable() {
  const [t, roles, rights] = await Promise.all([getTranslations("team"), roleTexts(), rightTexts()]);
  return (
    <Card className="mt-6 overflow-hidden">
      <CardHeader title={t("compare")} description={t("compareText")} />
      <Table caption={t("compare")}>
        <TableHead>
          <tr>
            <TableHeader className={`${STANDING} bg-sunken pl-5`}>{t("compareRight")}</TableHeader>
            {OPERATOR_ROLES.map((role) => (
              <TableHeader key={role} className="text-center">
                {roles[role]}
              </TableHeader>
            ))}
          </tr>
        </TableHead>
        <TableBody>
          {OPTIONAL_RIGHTS.map((right) => (
            <TableRow key={right}>
              <th
                scope="row"
                className={`${STANDING} min-w-36 bg-surface py-2.5 pr-4 pl-5 font-normal text-ink sm:min-w-52`}
              >
                {rights[right]}
              </th>
              {OPERATOR_ROLES.map((role) => (
                <TableCell key={role} className="py-2.5 text-center">
                  {may(role, right) ? (
                    <>
                      <Check aria-hidden className="mx-auto size-4 text-accent-ink" />
                      <span className="sr-only">{t("compareMay")}</span>
                    </>
                  ) : (
                    <>
                      <span aria-hidden className="text-ink-3">
                        –
                      </span>
                      <span className="sr-only">{t("compareMayNot")}</span>
                    </>
                  )}
                </TableCell>
              ))}
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </Card>
  );
}

import type { SellerBusiness, SellerOwner } from "@/db/schema/sellers";
import type { RecipientAddress, SellerInput } from "@/lib/providers/recipients";
import type { SellerRow } from "@/lib/sellers/queries";

/** The seller as its providers are told of it. */
export function recipientInput({
  mcc,
  owner,
  business,
  bankAccount,
  transferPolicy,
  ...seller
}: SellerRow): SellerInput {
  const { holdeType, ...account } = given(bankAccount);
  return {
    mcc,
    owner: personOf(owner),
    ...(business ? { business: personOf(business) } : {}),
    bankAccount: { ...account, ...(holdeType === undefined ? {} : { holderType: holdeType }) },
    transferPolicy: {
      transferInterval: transferPolicy.transferInterval,
      transferDay: Number(transferPolicy.transferDay),
      transferEnabled: transferPolicy.transferEnabled,
      ...anticipationOf(transferPolicy),
    },
    ...(seller.salesPlanId === null ? {} : { salesPlanId: seller.salesPlanId }),
    ...(seller.rateAgreements === null ? {} : { rateAgreements: seller.rateAgreements }),
  };
}

type Given<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** Without the members that say nothing. */
const given = <T extends object>(group: T): Given<T> =>
  // Guarantee: only members that are undefined are left out.
  Object.fromEntries(Object.entries(group).filter(([, value]) => value !== undefined)) as Given<T>;

const personOf = <P extends SellerOwner | SellerBusiness>({ address, ...person }: P) => ({
  ...given(person),
  address: given(address) as RecipientAddress,
});

function anticipationOf(
  policy: SellerRow["transferPolicy"],
): Pick<SellerInput["transferPolicy"], "automaticAnticipation"> {
  const { automaticAnticipationType: type, automaticAnticipationEnabled } = policy;
  if (!automaticAnticipationEnabled || (type !== "full" && type !== "1025")) return {};
  const { anticipatableVolumePercentage: volume, automaticAnticipationDays: days } = policy;
  const delay = policy.automaticAnticipation1025Delay;
  return {
    automaticAnticipation: {
      type,
      ...(volume === undefined ? {} : { volumePercentage: Number(volume) }),
      ...(days === undefined ? {} : { days: days.match(/\d+/g)?.map(Number) ?? [] }),
      ...(delay === undefined ? {} : { delay: Number(delay) }),
    },
  };
}

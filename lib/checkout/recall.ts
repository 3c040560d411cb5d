/** Where a buyer who was here before stands with the code that proves it. */
export type Recall =
  | { readonly step: "offer" | "forgotten" }
  | { readonly step: "email"; readonly isWrong: true }
  | {
      readonly step: "code";
      readonly email: string;
      readonly isWrong: boolean;
      readonly typed?: string;
      /** Another was asked for. */
      readonly isAgain?: boolean;
    };

/** Who makes this deployment pay the gas of a payment, and from where. */
export type GasPayer = { readonly wallet: string; readonly from?: string }

/** Payments that this deployment pays the gas of (decision 0099). */
export interface PaymentBudget {
  /** Counts payments right before they are claimed. @throws RATE_LIMITED, GAS_BUDGET_SPENT; nothing is counted then */
  take(payer: GasPayer, payments: number): Promise<void>
}

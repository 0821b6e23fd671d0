/** What the comparison of the ledger with the chains may find (decision 0059). */
export const moneyFindingKinds = ['expired', 'stuck', 'orphaned', 'unnamed', 'mismatch', 'reorged', 'rating_hash', 'unclaimed', 'behind'] as const
export type MoneyFindingKind = (typeof moneyFindingKinds)[number]

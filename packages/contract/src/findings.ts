import * as Type from 'typebox'
import { instant, networkName, open } from './schema.ts'

/** What the comparison of the ledger with the chains may find (decision 0059). */
export const moneyFindingKinds = [
  'expired',
  'stuck',
  'orphaned',
  'unnamed',
  'mismatch',
  'reorged',
  'rating_hash',
  'unclaimed',
  'behind',
] as const
export type MoneyFindingKind = (typeof moneyFindingKinds)[number]

/** How far the service has followed a chain. */
export const chainLag = open({
  network: networkName(),
  block: Type.Integer({ description: 'The last block that was read.' }),
  lag_blocks: Type.Integer({ description: 'How many blocks the chain was ahead.' }),
  lag_seconds: Type.Number({ description: 'How much of its own time those blocks are.' }),
  read_at: instant('When the chain was last read.'),
})

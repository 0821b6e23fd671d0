import type { Intent, Outcome } from '../store/intents.ts'
import type { Registration } from '../store/registrations.ts'

/** What a registration has come to, by the logs of its transaction: mined again elsewhere, it has another number. */
export type Minted = Pick<Registration, 'agentId' | 'mintTransaction' | 'transferTransaction'>

/** The registry's own event, then, where the agent had to be handed over, its transfer to the recipient. */
export function mintedBy({ logs, transaction }: Pick<Outcome, 'logs' | 'transaction'>): Minted {
  const [registered, handedOver] = logs
  return {
    agentId: BigInt(registered?.topics[1] ?? '0x0').toString(),
    mintTransaction: transaction,
    transferTransaction: handedOver === undefined ? null : transaction,
  }
}

/** A mint and a hand-over of their own are of the version before: what they were told as stays. */
export function isWhole({ mintTransaction, transferTransaction }: Registration): boolean {
  return transferTransaction === null || transferTransaction === mintTransaction
}

/** A registration that is done, as its chain has it now; `intent` is undefined where that is known no more. */
export function asOnChain(row: Registration, intent: Intent | null | undefined): Registration {
  if (row.status !== 'done' || intent === null || intent === undefined || !isWhole(row)) return row
  const { outcome } = intent
  if (outcome === null) return { ...row, ...nothing, status: 'pending' }
  return outcome.failure === undefined
    ? { ...row, ...mintedBy(outcome) }
    : { ...row, ...nothing, status: 'failed', error: outcome.failure.reason }
}

const nothing = { agentId: null, mintTransaction: null, transferTransaction: null } as const

export function isSame(one: Minted, other: Minted): boolean {
  return names.every((name) => one[name] === other[name])
}

const names = ['agentId', 'mintTransaction', 'transferTransaction'] as const satisfies readonly (keyof Minted)[]

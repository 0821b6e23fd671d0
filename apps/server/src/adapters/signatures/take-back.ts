import {
  bytesToHex,
  parseStandingOrder,
  standingOrderDigest,
  standingRevocationTypedData,
  type Signer,
} from '@ergon/protocols'
import type { FacilitatorClient } from '../facilitator/facilitator-client.ts'
import type { ServedNetworks } from '../networks.ts'

/** `over`: the facilitator counts it as spent, or it has ended. `open`: it has to be told again. */
export type TakenBack = { readonly kind: 'over' } | { readonly kind: 'open'; readonly why: string }

/** Tells the facilitator that a standing order releases nothing any more. */
export type TakeBackOrder = (order: unknown, chainId: number) => Promise<TakenBack>

export type TakeBackDeps = {
  readonly facilitator: Pick<FacilitatorClient, 'post'>
  readonly networks: Pick<ServedNetworks, 'withChainId'>
  /** Whom the orders name as theirs: it may take away what it was given (decision 0133). */
  readonly spender: Signer
}

/** Shorter than a lease, so that two processes do not ask at once. */
const timeoutMs = 10_000

export function createTakeBack({ facilitator, networks, spender }: TakeBackDeps): TakeBackOrder {
  return async (wire, chainId) => {
    const network = networks.withChainId(chainId)?.row.name
    if (network === undefined) return { kind: 'open', why: `chain ${String(chainId)} is not served` }
    const hash = bytesToHex(standingOrderDigest(parseStandingOrder(wire).order, chainId))
    const signature = await spender.signTypedData(standingRevocationTypedData(hash, chainId))
    const body = { network, standingOrder: wire, signature }
    const answer = await facilitator.post('/standing-orders/revoke', body, { timeoutMs, network })
    if (answer.kind === 'done' && answer.body['revoked'] === true) return { kind: 'over' }
    if (answer.kind === 'refused') {
      return answer.code === 'standing_over' ? { kind: 'over' } : { kind: 'open', why: answer.code }
    }
    return { kind: 'open', why: answer.kind }
  }
}

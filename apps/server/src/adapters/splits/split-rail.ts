import { associatedTokenAccount, decodeTransaction, tokenProgram } from '@ergon/channels'
import { MarketError, type DirectPayment, type Proof, type Rail, type RailAnswer, type RailOrder } from '@ergon/core'
import { base64ToBytes, fromBase58, isSignedByEd25519 } from '@ergon/protocols'
import { readTokenAccount } from '@ergon/solana-ledger'
import type { AdapterLog } from '../settings.ts'
import { refusalOf } from '../rails/refusals.ts'
import { envelopeOf, messageOf, readable, type SplitDeps } from './split-terms.ts'

type Deps = SplitDeps & { readonly log: Pick<NonNullable<AdapterLog>, 'warn'> | undefined }

/**
 * Pays bounties in one transaction each. The facilitator's answer is believed when the ledger has a transaction under
 * the signature it names and that signature is the fee payer's over the very message that was ordered: no other
 * transaction has it. What never lands is known from the facilitator's last word, which follows its own proof.
 */
export function createSplitRail(deps: Deps): Rail {
  const { network, ledger } = deps
  const none = (): never => {
    throw new MarketError('CHAIN_UNAVAILABLE', { network: network.name })
  }
  return {
    logs: {
      depth: 0,
      head: async () => none(),
      window: async () => none(),
      sentByFacilitator: async () => none(),
      placeOf: async () => none(),
    },
    send: (order, waitMs, before) => send(deps, order, { waitMs, before }),
    // The transaction's name is the fee payer's signature, which only its owner can make: the same order sent again
    // under its key tells.
    find: async () => ({ state: 'absent' }),
    escrowState: async () => none(),
    movements: async () => none(),
    chainTime: async () => none(),
    proof: (order, txHash) => readable(network, () => proofOf(deps, order, txHash)),
    holdings: async () => none(),
    balance: (wallet, { symbol }) =>
      readable(network, async () => {
        const mint = network.tokens[symbol]?.address ?? none()
        const account = await ledger.account(associatedTokenAccount(wallet, mint))
        const held = account?.owner === tokenProgram ? readTokenAccount(account.data) : undefined
        return held?.amount ?? 0n
      }),
    sweepFees: async () => ({ outcome: 'nothing' }),
  }
}

async function send(
  deps: Deps,
  order: RailOrder,
  { waitMs, before }: { readonly waitMs: number; readonly before: Date },
): Promise<RailAnswer> {
  const transfer = transferOf(order)
  const body = bodyOf(deps, transfer)
  const answer = await deps.facilitator.post('/settle', body, {
    ...{ timeoutMs: waitMs, key: order.key, before },
    network: transfer.network,
  })
  switch (answer.kind) {
    case 'unavailable':
      return { outcome: 'unavailable', sent: answer.sent }
    case 'unknown':
      return { outcome: 'unknown' }
    case 'refused':
      return refusalOf(order, answer)
    case 'done':
      return settled(deps, order, answer.body['transaction'])
  }
}

async function settled(deps: Deps, order: RailOrder, txHash: unknown): Promise<RailAnswer> {
  if (typeof txHash !== 'string') return { outcome: 'unknown' }
  const status = await deps.ledger.status(txHash).catch(() => undefined)
  const isLanded = status !== undefined && status.kind !== 'unknown' && status.kind !== 'processed'
  if (isLanded && status.error === null && isNamed(order, txHash))
    return { outcome: 'settled', txHash, blockNumber: status.slot, logIndex: 0 }
  deps.log?.warn({ txHash }, 'a payment on Solana that was reported done is not proven by the ledger')
  return { outcome: 'unknown' }
}

async function proofOf({ ledger }: Deps, order: RailOrder, txHash: string): Promise<Proof> {
  if (!isNamed(order, txHash)) return 'otherwise'
  const status = await ledger.status(txHash)
  if (status.kind === 'unknown') return 'absent'
  return status.error === null ? 'proven' : 'otherwise'
}

/** Whether the name of a transaction is the fee payer's signature over the message that was ordered. */
function isNamed(order: RailOrder, txHash: string): boolean {
  const { messageBytes, message } = transactionOf(transferOf(order))
  try {
    return isSignedByEd25519(messageBytes, fromBase58(txHash), fromBase58(message.feePayer))
  } catch {
    return false
  }
}

/** The order as it was read when it was claimed: whatever follows from it is the same whenever it is sent. */
function bodyOf(deps: Deps, transfer: DirectPayment): object {
  const { message } = transactionOf(transfer)
  const reference = message.instructions.at(-1)?.data ?? new Uint8Array()
  const fee = transfer.alongside?.amount ?? { ...transfer.amount, atomic: 0n }
  const terms = {
    submissionId: new TextDecoder().decode(reference),
    worker: transfer.to,
    payout: transfer.amount,
    fee,
  }
  const treasury = transfer.alongside?.to ?? deps.treasury
  const built = messageOf({ ...deps, treasury }, terms, { payer: transfer.from, feePayer: message.feePayer })
  return envelopeOf(deps.network, built, transfer.signature)
}

function transactionOf({ signature }: DirectPayment) {
  const wire = base64ToBytes(signature)
  if (wire === undefined) throw new Error('an order on Solana holds its transaction in base64')
  return decodeTransaction(wire)
}

function transferOf(order: RailOrder): DirectPayment {
  if (order.kind !== 'charge') throw new Error(`Solana has no escrow to ${order.kind}`)
  return order.transfer
}

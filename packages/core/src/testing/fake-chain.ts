import type { Asset } from '../money/amount.ts'
import { splitFee } from '../money/amount.ts'
import { MarketError } from '../errors.ts'
import type { Rail, RailAnswer, RailOrder } from '../ports/rail.ts'

/** What may go wrong with one call; `lost` ones leave the caller not knowing. */
export type Fault = 'none' | 'refused' | 'lost before' | 'lost after' | 'unavailable' | 'unreadable'

export type Landing = { readonly key: string; readonly txHash: string; readonly blockNumber: bigint; readonly order: RailOrder }

/** A chain with the escrow's rules and nothing else: money is neither made nor lost on it. */
export type FakeChain = {
  readonly rail: Rail
  fund(wallet: string, atomic: bigint): void
  balance(account: string): bigint
  capturable(hash: string): bigint
  readonly landings: readonly Landing[]
  /** What a payer can do past us: take the funds back, or pay them out. */
  reclaim(hash: string): void
  payOut(hash: string): void
  /** Blocks that were undone: this transaction is no longer on chain. */
  forget(txHash: string): void
  /** Money that got into escrow, or out of it to nobody, with no order of ours. */
  tamper(payment: { readonly hash: string; readonly payer: string; readonly receiver: string }, atomic: bigint): void
  /** Anybody may send the fees on to the treasury. */
  sweepOtherwise(): void
  /** Asked before every call of the rail. */
  fault: (method: 'send' | 'find' | 'sweep' | 'balance', order: RailOrder | null) => Fault
}

type Held = { atomic: bigint; collected: boolean; captured: bigint; readonly payer: string; readonly receiver: string }

const refused = (code: Extract<RailAnswer, { outcome: 'refused' }>['code']): RailAnswer => ({ outcome: 'refused', code })

export function createFakeChain(): FakeChain {
  const balances = new Map<string, bigint>()
  const escrows = new Map<string, Held>()
  const landings: Landing[] = []
  const gone = new Set<string>()
  const sweeps = new Map<string, { readonly txHash: string; readonly blockNumber: bigint; readonly amount: bigint }>()
  let block = 1n

  const balance = (account: string): bigint => balances.get(account) ?? 0n
  const add = (account: string, atomic: bigint): void => {
    balances.set(account, balance(account) + atomic)
  }
  const nextBlock = (): { readonly txHash: string; readonly blockNumber: bigint } => {
    block += 1n
    return { txHash: `0x${block.toString(16).padStart(64, '0')}`, blockNumber: block }
  }

  const apply = (order: RailOrder): RailAnswer | null => {
    switch (order.kind) {
      case 'authorize': {
        const { payment } = order
        if (escrows.get(payment.hash)?.collected === true) return refused('LOCK_REVERTED')
        if (balance(payment.payer) < payment.maxAmount) return refused('INSUFFICIENT_FUNDS')
        add(payment.payer, -payment.maxAmount)
        escrows.set(payment.hash, { atomic: payment.maxAmount, collected: true, captured: 0n, payer: payment.payer, receiver: payment.receiver })
        return null
      }
      case 'capture': {
        const held = escrows.get(order.payment.hash)
        if (held === undefined || held.atomic < order.amount.atomic) return refused('ESCROW_NOT_RELEASABLE')
        const { payout, fee } = splitFee(order.amount)
        held.atomic -= order.amount.atomic
        held.captured += order.amount.atomic
        add(order.payment.receiver, payout.atomic)
        add('operator', fee.atomic)
        return null
      }
      case 'void': {
        const held = escrows.get(order.payment.hash)
        if (held === undefined || held.atomic < order.amount.atomic) return refused('ESCROW_NOT_REFUNDABLE')
        add(order.payment.payer, order.amount.atomic)
        held.atomic -= order.amount.atomic
        return null
      }
      case 'charge': {
        const { transfer } = order
        if (balance(transfer.from) < transfer.amount.atomic) return refused('INSUFFICIENT_FUNDS')
        add(transfer.from, -transfer.amount.atomic)
        add(transfer.to, transfer.amount.atomic)
        return null
      }
    }
  }

  const land = (order: RailOrder): RailAnswer => {
    const earlier = landings.find((one) => one.key === order.key)
    if (earlier !== undefined) return { outcome: 'settled', txHash: earlier.txHash, blockNumber: earlier.blockNumber }
    const refusal = apply(order)
    if (refusal !== null) return refusal
    const landed = nextBlock()
    landings.push({ key: order.key, ...landed, order })
    return { outcome: 'settled', ...landed }
  }

  const chain: FakeChain = {
    fund: add,
    balance,
    capturable: (hash) => escrows.get(hash)?.atomic ?? 0n,
    landings,
    reclaim(hash) {
      const held = escrows.get(hash)
      if (held === undefined) return
      add(held.payer, held.atomic)
      held.atomic = 0n
    },
    payOut(hash) {
      const held = escrows.get(hash)
      if (held === undefined) return
      const fee = (held.atomic * 1_300n) / 10_000n
      add(held.receiver, held.atomic - fee)
      add('operator', fee)
      held.captured += held.atomic
      held.atomic = 0n
    },
    forget(txHash) {
      gone.add(txHash)
    },
    tamper({ hash, payer, receiver }, atomic) {
      const held = escrows.get(hash)
      escrows.set(hash, { atomic: (held?.atomic ?? 0n) + atomic, collected: true, captured: held?.captured ?? 0n, payer, receiver })
    },
    sweepOtherwise() {
      add('treasury', balance('operator'))
      balances.set('operator', 0n)
    },
    fault: () => 'none',
    rail: {
      async send(order) {
        await Promise.resolve()
        const fault = chain.fault('send', order)
        if (fault === 'unavailable') return { outcome: 'unavailable' }
        if (fault === 'refused') return refused('LOCK_REVERTED')
        if (fault === 'lost before') return { outcome: 'unknown' }
        const answer = land(order)
        return fault === 'lost after' ? { outcome: 'unknown' } : answer
      },
      async find(order) {
        await Promise.resolve()
        if (chain.fault('find', order) === 'unreadable') throw new MarketError('CHAIN_UNAVAILABLE')
        const landed = landings.find((one) => one.key === order.key)
        return landed === undefined ? { state: 'absent' } : { state: 'landed', txHash: landed.txHash, blockNumber: landed.blockNumber }
      },
      async escrowState(payment) {
        await Promise.resolve()
        if (chain.fault('find', null) === 'unreadable') throw new MarketError('CHAIN_UNAVAILABLE')
        const held = escrows.get(payment.hash)
        return { collected: held?.collected ?? false, capturable: held?.atomic ?? 0n, refundable: held?.captured ?? 0n }
      },
      async proof(order, txHash) {
        await Promise.resolve()
        if (chain.fault('find', order) === 'unreadable') throw new MarketError('CHAIN_UNAVAILABLE')
        const landed = landings.find((one) => one.txHash === txHash)
        if (landed === undefined || gone.has(txHash)) return 'absent'
        return landed.key === order.key ? 'proven' : 'otherwise'
      },
      async holdings() {
        await Promise.resolve()
        return { escrow: [...escrows.values()].reduce((sum, held) => sum + held.atomic, 0n), operator: balance('operator') }
      },
      async balance(wallet) {
        await Promise.resolve()
        if (chain.fault('balance', null) === 'unreadable') throw new MarketError('CHAIN_UNAVAILABLE')
        return balance(wallet)
      },
      async sweepFees(_asset: Asset, key: string) {
        await Promise.resolve()
        const fault = chain.fault('sweep', null)
        if (fault === 'unavailable') return { outcome: 'unavailable' }
        if (fault === 'lost before') return { outcome: 'unknown' }
        let landed = sweeps.get(key)
        if (landed === undefined) {
          const amount = balance('operator')
          if (amount === 0n) return { outcome: 'nothing' }
          add('operator', -amount)
          add('treasury', amount)
          landed = { ...nextBlock(), amount }
          sweeps.set(key, landed)
        }
        return fault === 'lost after' ? { outcome: 'unknown' } : { outcome: 'settled', ...landed }
      },
    },
  }
  return chain
}

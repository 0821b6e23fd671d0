import type { Movement, MovementKind } from '../escrow/movement.ts'
import { MarketError } from '../errors.ts'
import { shareOf } from '../ledger/journal.ts'
import type { Asset } from '../money/amount.ts'
import type { Distribution, SeenLock } from '../ports/chain-logs.ts'
import type { Landed, Rail, RailAnswer, RailOrder } from '../ports/rail.ts'
import { createFakeLogs } from './fake-logs.ts'
import { findOrder, placeOf, proofOf, type Held, type Landing, type Sights } from './fake-sights.ts'

/**
 * What may go wrong with one call; `lost` ones leave the caller not knowing. `held`: the copy is held in the network,
 * to be delivered later. `refused for now`: a verdict that binds nobody. `refused late`: one given while the copy went
 * through.
 * `refused though it landed`: the same, and said for good.
 */
export type Fault =
  | 'none'
  | 'refused'
  | 'refused for now'
  | 'refused late'
  | 'refused though it landed'
  | 'lost before'
  | 'lost after'
  | 'held'
  | 'unavailable'
  | 'unavailable though sent'
  | 'unreadable'

type Past = { readonly hash: string; readonly payer: string; readonly receiver: string }

/** A chain with the escrow's rules and nothing else, behind a facilitator: money is neither made nor lost on it. */
export type FakeChain = {
  readonly rail: Rail
  fund(wallet: string, atomic: bigint): void
  balance(account: string): bigint
  capturable(hash: string): bigint
  readonly landings: readonly Landing[]
  readonly movements: readonly Movement[]
  /** What a payer can do past us: hold funds, pay at once, pay out a part or all of what is held, take it back. */
  authorize(payment: Past, atomic: bigint): void
  charge(payment: Past, atomic: bigint): void
  capture(hash: string, atomic: bigint): void
  payOut(hash: string): void
  reclaim(hash: string): void
  /** Captured money that comes back to the payer out of a pocket of its own. */
  refund(hash: string, atomic: bigint): void
  /**
   * Delivers the copies that the network held; those past their deadline are not carried out. Answers how many were.
   */
  deliver(): number
  /** Blocks that were undone: this transaction is no longer on chain. */
  forget(txHash: string): void
  /** Blocks that were undone: what this transaction did with a payment did not happen, and it is not mined again. */
  undo(txHash: string): void
  /** Blocks that were undone: the payer withdrew the signature of this direct payment before it was mined again. */
  withdraw(txHash: string): void
  /** The same, and another transaction carried it. */
  carryAgain(txHash: string): string
  /** Money that got into escrow, or out of it to nobody, with no order of ours. */
  tamper(payment: Past, atomic: bigint): void
  /** Anybody may send the fees on to the treasury. */
  sweepOtherwise(): void
  /** Whether what happens goes into the newest block, one behind the other. */
  isOneBlock: boolean
  /** Whether a transaction came from a key of the facilitator. */
  sentByFacilitator: (txHash: string) => boolean
  /** The clock of its blocks and of the facilitator; the test moves it. */
  now: () => Date
  /** Asked before every call of the rail. */
  fault: (method: 'send' | 'find' | 'sweep' | 'balance', order: RailOrder | null) => Fault
}

type Code = Extract<RailAnswer, { outcome: 'refused' }>['code']
type Copy = { readonly order: RailOrder; readonly before: Date }

const feeBps = 1_300

export function createFakeChain(): FakeChain {
  const balances = new Map<string, bigint>()
  const escrows = new Map<string, Held>()
  const landings: Landing[] = []
  const movements: Movement[] = []
  const bound = new Set<string>()
  const spent = new Set<string>()
  const withdrawn = new Set<string>()
  const copies: Copy[] = []
  const gone = new Set<string>()
  const distributions: Distribution[] = []
  const locks = new Map<string, SeenLock>()
  const sweeps = new Map<string, Landed & { readonly amount: bigint }>()
  /** Keys under which there was nothing to sweep: that stays their answer. */
  const empty = new Set<string>()
  let block = 1n
  let logs = 0

  const balance = (account: string): bigint => balances.get(account) ?? 0n
  const add = (account: string, atomic: bigint): void => {
    balances.set(account, balance(account) + atomic)
  }
  const nextBlock = (): Landed => {
    if (!chain.isOneBlock) block += 1n
    logs += 1
    return { txHash: `0x${logs.toString(16).padStart(64, '0')}`, blockNumber: block, logIndex: logs }
  }
  const refused = (code: Code, final = true): RailAnswer => ({ outcome: 'refused', code, final, at: chain.now() })
  const write = (hash: string, kind: MovementKind, atomic: bigint): Landed => {
    const landed = nextBlock()
    movements.push({
      ...landed,
      network: 'localnet',
      hash,
      kind,
      atomic,
      feeBps: kind === 'captured' || kind === 'charged' ? feeBps : null,
    })
    return landed
  }
  const distribute = ({ txHash, blockNumber, logIndex }: Landed, atomic: bigint): void => {
    distributions.push({
      network: 'localnet',
      txHash,
      blockNumber,
      logIndex,
      asset: { symbol: 'USDC', network: 'localnet', decimals: 6 },
      atomic,
    })
  }
  const payOut = (receiver: string, atomic: bigint): void => {
    const { payout, fee } = shareOf({ atomic, feeBps })
    add(receiver, payout)
    add('operator', fee)
  }

  const collect = ({ hash, payer, receiver }: Past, atomic: bigint): Held | Code => {
    if (escrows.get(hash)?.collected === true) return 'LOCK_REVERTED'
    if (balance(payer) < atomic) return 'INSUFFICIENT_FUNDS'
    add(payer, -atomic)
    const held = { atomic, collected: true, captured: 0n, payer, receiver }
    escrows.set(hash, held)
    return held
  }
  const take = (hash: string, atomic: bigint): Held | null => {
    const held = escrows.get(hash)
    if (held === undefined || atomic <= 0n || held.atomic < atomic) return null
    held.atomic -= atomic
    return held
  }
  const capture = (hash: string, atomic: bigint): Landed | null => {
    const held = take(hash, atomic)
    if (held === null) return null
    held.captured += atomic
    payOut(held.receiver, atomic)
    return write(hash, 'captured', atomic)
  }
  const giveBack = (hash: string, kind: 'voided' | 'reclaimed', atomic: bigint): Landed | null => {
    const held = take(hash, atomic)
    if (held === null) return null
    add(held.payer, atomic)
    return write(hash, kind, atomic)
  }

  const apply = (order: RailOrder): Landed | Code => {
    const seconds = BigInt(Math.floor(chain.now().getTime() / 1_000))
    switch (order.kind) {
      case 'authorize': {
        if (seconds >= order.authorization.validBefore) return 'AUTHORIZATION_EXPIRED'
        const held = collect(order.payment, order.payment.maxAmount)
        locks.set(order.payment.hash, { payment: order.payment, authorization: order.authorization })
        return typeof held === 'string' ? held : write(order.payment.hash, 'authorized', held.atomic)
      }
      case 'capture': {
        const once = order.order === null ? order.key : `order:${order.order.nonce}`
        if (spent.has(once)) return 'LIFECYCLE_ORDER_INVALID'
        const landed = capture(order.payment.hash, order.amount.atomic)
        if (landed !== null) spent.add(once)
        return landed ?? 'ESCROW_NOT_RELEASABLE'
      }
      case 'void':
        return giveBack(order.payment.hash, 'voided', order.amount.atomic) ?? 'ESCROW_NOT_REFUNDABLE'
      case 'charge': {
        const { from, to, nonce, amount, validBefore } = order.transfer
        if (spent.has(nonce) || seconds >= validBefore) return 'SETTLEMENT_FAILED'
        if (balance(from) < amount.atomic) return 'INSUFFICIENT_FUNDS'
        spent.add(nonce)
        add(from, -amount.atomic)
        add(to, amount.atomic)
        return nextBlock()
      }
    }
  }

  /** As the facilitator does it: a key names one end for good, and nothing is begun after its deadline. */
  const carryOut = ({ order, before }: Copy): RailAnswer => {
    const earlier = landings.find((one) => one.key === order.key)
    if (earlier !== undefined) return { outcome: 'settled', ...placeOf(earlier) }
    if (bound.has(order.key)) return refused('SETTLEMENT_FAILED')
    const landed = chain.now() > before ? 'SETTLEMENT_FAILED' : apply(order)
    if (typeof landed === 'string') {
      bound.add(order.key)
      return refused(landed)
    }
    landings.push({ key: order.key, ...landed, order })
    return { outcome: 'settled', ...landed }
  }

  const landedAt = (txHash: string): number => landings.findIndex((one) => one.txHash === txHash)

  const readable = (order: RailOrder | null, method: 'find' | 'balance' = 'find'): void => {
    if (chain.fault(method, order) === 'unreadable') throw new MarketError('CHAIN_UNAVAILABLE')
  }

  const seen: Sights = { movements, landings, distributions, escrows, locks, withdrawn, gone }
  const chain: FakeChain = {
    fund: add,
    balance,
    capturable: (hash) => escrows.get(hash)?.atomic ?? 0n,
    landings,
    movements,
    authorize(payment, atomic) {
      if (typeof collect(payment, atomic) !== 'string') write(payment.hash, 'authorized', atomic)
    },
    charge(payment, atomic) {
      const held = collect(payment, atomic)
      if (typeof held === 'string') return
      held.atomic = 0n
      held.captured = atomic
      payOut(held.receiver, atomic)
      write(payment.hash, 'charged', atomic)
    },
    capture,
    payOut: (hash) => capture(hash, escrows.get(hash)?.atomic ?? 0n),
    reclaim: (hash) => giveBack(hash, 'reclaimed', escrows.get(hash)?.atomic ?? 0n),
    refund(hash, atomic) {
      const held = escrows.get(hash)
      if (held === undefined || held.captured < atomic) return
      held.captured -= atomic
      add(`refund:${hash}`, -atomic)
      add(held.payer, atomic)
      write(hash, 'refunded', atomic)
    },
    deliver: () => copies.splice(0).filter((copy) => carryOut(copy).outcome === 'settled').length,
    forget(txHash) {
      gone.add(txHash)
    },
    undo(txHash) {
      const [undone] = movements.splice(
        movements.findIndex((one) => one.txHash === txHash),
        1,
      )
      landings.splice(0, landings.length, ...landings.filter((one) => one.txHash !== txHash))
      const held = undone === undefined ? undefined : escrows.get(undone.hash)
      if (undone === undefined || held === undefined) return
      const { kind, atomic, hash } = undone
      held.atomic += kind === 'authorized' ? -atomic : atomic
      if (kind === 'authorized') escrows.delete(hash)
      if (kind !== 'captured') return add(held.payer, kind === 'authorized' ? atomic : -atomic)
      held.captured -= atomic
      const { payout, fee } = shareOf({ atomic, feeBps })
      add(held.receiver, -payout)
      add('operator', -fee)
    },
    withdraw(txHash) {
      const { order } = landings.splice(landedAt(txHash), 1)[0] ?? {}
      if (order?.kind !== 'charge') return
      const { from, to, amount, nonce } = order.transfer
      add(from, amount.atomic)
      add(to, -amount.atomic)
      withdrawn.add(nonce)
    },
    carryAgain(txHash) {
      const again = nextBlock()
      landings.splice(landedAt(txHash), 1).forEach((one) => landings.push({ ...one, ...again }))
      return again.txHash
    },
    tamper({ hash, payer, receiver }, atomic) {
      const held = escrows.get(hash)
      escrows.set(hash, {
        atomic: (held?.atomic ?? 0n) + atomic,
        collected: true,
        captured: held?.captured ?? 0n,
        payer,
        receiver,
      })
    },
    sweepOtherwise() {
      distribute(nextBlock(), balance('operator'))
      add('treasury', balance('operator'))
      balances.set('operator', 0n)
    },
    now: () => new Date(0),
    fault: () => 'none',
    sentByFacilitator: () => false,
    isOneBlock: false,
    rail: {
      logs: createFakeLogs(seen, {
        head: () => block,
        now: () => chain.now(),
        sentByFacilitator: (txHash) => chain.sentByFacilitator(txHash),
        readable: () => {
          readable(null)
        },
      }),
      async send(order, _waitMs, before) {
        await Promise.resolve()
        const fault = chain.fault('send', order)
        switch (fault) {
          case 'unavailable':
            return { outcome: 'unavailable', sent: false }
          case 'unavailable though sent':
            return { outcome: 'unavailable', sent: true }
          case 'refused':
            bound.add(order.key)
            return refused('LOCK_REVERTED')
          case 'refused for now':
            copies.push({ order, before })
            return refused('LOCK_REVERTED', false)
          case 'refused late':
            carryOut({ order, before })
            return refused('LOCK_REVERTED', false)
          case 'refused though it landed':
            carryOut({ order, before })
            return refused('LOCK_REVERTED')
          case 'lost before':
            return { outcome: 'unknown' }
          case 'held':
            copies.push({ order, before })
            return { outcome: 'unknown' }
          case 'lost after':
            carryOut({ order, before })
            return { outcome: 'unknown' }
          case 'none':
          case 'unreadable':
            return carryOut({ order, before })
        }
      },
      async find(order) {
        await Promise.resolve()
        readable(order)
        return findOrder(seen, order)
      },
      async escrowState(payment) {
        await Promise.resolve()
        readable(null)
        const held = escrows.get(payment.hash)
        return { collected: held?.collected ?? false, capturable: held?.atomic ?? 0n, refundable: held?.captured ?? 0n }
      },
      async movements(payment) {
        await Promise.resolve()
        readable(null)
        return movements.filter((one) => one.hash === payment.hash)
      },
      async chainTime() {
        await Promise.resolve()
        readable(null)
        return chain.now()
      },
      async proof(order, txHash) {
        await Promise.resolve()
        readable(order)
        return proofOf(seen, order, txHash)
      },
      async holdings() {
        await Promise.resolve()
        return {
          escrow: [...escrows.values()].reduce((sum, held) => sum + held.atomic, 0n),
          operator: balance('operator'),
        }
      },
      async balance(wallet) {
        await Promise.resolve()
        readable(null, 'balance')
        return balance(wallet)
      },
      async sweepFees(_asset: Asset, key: string) {
        await Promise.resolve()
        const fault = chain.fault('sweep', null)
        if (fault === 'unavailable') return { outcome: 'unavailable', sent: false }
        if (fault === 'lost before') return { outcome: 'unknown' }
        let landed = sweeps.get(key)
        if (landed === undefined) {
          const amount = empty.has(key) ? 0n : balance('operator')
          if (amount === 0n) {
            empty.add(key)
            return fault === 'lost after' ? { outcome: 'unknown' } : { outcome: 'nothing' }
          }
          add('operator', -amount)
          add('treasury', amount)
          landed = { ...nextBlock(), amount }
          distribute(landed, amount)
          sweeps.set(key, landed)
        }
        return fault === 'lost after' ? { outcome: 'unknown' } : { outcome: 'settled', ...landed }
      },
    },
  }
  return chain
}

import { deliver, type RpcLedger } from '@ergon/solana-ledger'
import type { SolanaIntent, SolanaIntents } from '../store/solana-intents.ts'
import type { Surroundings } from '../surroundings/surroundings.ts'
import { reasonOf } from './ledger-faults.ts'

/** How a payment ended; `confirmed` is an end for who waits. */
export type SolanaEnd = {
  readonly kind: 'succeeded' | 'failed' | 'expired'
  readonly signature: string
  readonly failure: SolanaIntent['failure']
}

/** Brings what was promised to its end: the same bytes again and again, until they landed or can land no more. */
export type SolanaTracker = {
  /** How it ends; joins whoever follows it already. */
  follow(intent: SolanaIntent): Promise<SolanaEnd>
  /** How many are under way. */
  readonly size: number
  /** Takes up what is open in the store. */
  resume(): Promise<void>
  stop(): void
}

export type SolanaPace = { readonly pollMs: number; readonly resendMs: number; readonly patienceMs: number }

export type SolanaTrackerDeps = {
  readonly ledger: Pick<RpcLedger, 'send' | 'status' | 'blockHeight'>
  readonly store: Pick<SolanaIntents, 'mark' | 'open'>
  readonly network: string
  readonly surroundings: Surroundings
  readonly pace: SolanaPace
  readonly onTrouble: (message: string, error: unknown) => void
}

/** Above so many under way nothing new is taken. */
export const mostUnderWay = 256

export function createSolanaTracker(deps: SolanaTrackerDeps): SolanaTracker {
  const underWay = new Map<string, Promise<SolanaEnd>>()
  const state = { isStopped: false }
  const follow = (intent: SolanaIntent): Promise<SolanaEnd> => {
    const ended = endOf(intent)
    const known = underWay.get(intent.signature)
    if (known !== undefined) return known
    if (ended !== undefined && intent.status !== 'confirmed') return Promise.resolve(ended)
    const { promise, resolve } = Promise.withResolvers<SolanaEnd>()
    if (ended !== undefined) resolve(ended)
    underWay.set(intent.signature, promise)
    void watch(deps, state, intent, resolve).finally(() => underWay.delete(intent.signature))
    return promise
  }
  return {
    follow,
    get size() {
      return underWay.size
    },
    async resume() {
      const open = await deps.store.open(deps.network, mostUnderWay)
      for (const intent of open) void follow(intent)
    },
    stop() {
      state.isStopped = true
    },
  }
}

/** What a row says about its end; undefined while it is open. */
export function endOf({ status, signature, failure }: SolanaIntent): SolanaEnd | undefined {
  if (status === 'sent') return undefined
  return { kind: status === 'confirmed' ? 'succeeded' : status, signature, failure }
}

/** Ends with the process or with the payment; whatever it could not finish, the next process takes up. */
async function watch(
  deps: SolanaTrackerDeps,
  state: { readonly isStopped: boolean },
  intent: SolanaIntent,
  tell: (end: SolanaEnd) => void,
): Promise<void> {
  const { signature, wire, lastValidHeight: lastValidBlockHeight } = intent
  const { ledger, surroundings, pace } = deps
  const sleep = (ms: number) => pause(deps, state, ms)
  const now = () => surroundings.monotonic()
  let isTold = intent.status === 'confirmed'
  let isFinalAwaited = isTold
  while (!state.isStopped) {
    try {
      const until = isFinalAwaited ? 'finalized' : 'confirmed'
      const delivered = await deliver(ledger, { wire, signature, lastValidBlockHeight }, { ...pace, until, now, sleep })
      if (delivered.end === 'undecided') continue
      if (delivered.end === 'expired') {
        if (isTold) deps.onTrouble(`the confirmed transaction ${signature} was undone by its cluster`, undefined)
        await deps.store.mark(intent.id, { status: 'expired', slot: null, failure: null })
        tell({ kind: 'expired', signature, failure: null })
        return
      }
      const { kind, slot, error } = delivered.status
      const failure = error === null ? null : reasonOf(error)
      const isFinal = kind === 'finalized'
      // That a transaction failed is believed when its block is final; until then the same bytes may yet succeed.
      if (isFinal || failure === null) {
        const ended = failure === null ? 'succeeded' : 'failed'
        await deps.store.mark(intent.id, { status: isFinal ? ended : 'confirmed', slot, failure })
        tell({ kind: ended, signature, failure })
        isTold = true
      }
      if (isFinal) return
      isFinalAwaited = true
    } catch (error) {
      if (state.isStopped) return
      deps.onTrouble(`the transaction ${signature} waits`, error)
      await sleep(pace.pollMs).catch(() => undefined)
    }
  }
}

function pause({ surroundings }: SolanaTrackerDeps, state: { readonly isStopped: boolean }, ms: number): Promise<void> {
  return new Promise((resolve, reject) => {
    surroundings.after(ms, () => {
      if (state.isStopped) reject(new Error('the facilitator stops'))
      else resolve()
    })
  })
}

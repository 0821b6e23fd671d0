import { MarketError } from '../errors.ts'
import type { WalletCaller } from '../caller.ts'
import type { MarketDeps } from '../flows/deps.ts'
import type { Store, Tx } from '../ports/store.ts'
import type { Settlement } from '../settlements/settlement.ts'
import {
  createPlainRatings,
  createPlainSignatures,
  createTestClock,
  createTestIds,
  type TestClock,
} from './fake-ports.ts'
import { createFakeChain, type FakeChain } from './fake-chain.ts'

/** What the store answers, by its method: a value, or what is made of what it was asked. */
export type Script = Readonly<Record<string, unknown>>
export type Asked = readonly [method: string, ...given: readonly unknown[]]

export type ScriptedDeps = {
  readonly deps: MarketDeps
  readonly clock: TestClock
  readonly chain: FakeChain
  /** What the store was asked and told, in order; `transaction` marks where one began. */
  readonly asked: Asked[]
  /** What was asked of the store by one method. */
  of(method: string): readonly (readonly unknown[])[]
}

export const scriptedNow = new Date('2026-11-21T12:00:00Z')

/**
 * The parts of a market over a store that answers from a script, for the rules of one flow: each of its decisions is
 * reached without the history that leads there. What a method has no answer for is answered by undefined.
 */
export function scriptedDeps(script: Script = {}, change: Partial<MarketDeps> = {}): ScriptedDeps {
  const asked: Asked[] = []
  const answer = (method: string, given: readonly unknown[]): unknown => {
    asked.push([method, ...given])
    const told = script[method]
    return typeof told === 'function' ? (told as (...of: readonly unknown[]) => unknown)(...given) : told
  }
  const tx = new Proxy(
    {},
    {
      get:
        (_tx, method) =>
        async (...given: unknown[]) =>
          answer(String(method), given),
    },
  )
  const store = new Proxy(
    {},
    {
      get(_store, method) {
        if (method !== 'transaction') return async (...given: unknown[]) => answer(String(method), given)
        return async (work: (tx: Tx) => Promise<unknown>) => {
          asked.push(['transaction'])
          // A flow asks it for what the script names, and nothing else.
          return work(tx as Tx)
        }
      },
    },
  )
  const clock = createTestClock(scriptedNow)
  const chain = createFakeChain()
  chain.now = () => clock.now()
  let nonces = 0
  const deps = {
    store: store as Store,
    networks: [
      {
        name: 'localnet',
        caip2: 'eip155:31337',
        chainId: 31_337,
        hasEscrow: true,
        tokens: { USDC: { address: 'token', decimals: 6 } },
        takesRatings: true,
      },
    ],
    rails: () => chain.rail,
    signatures: createPlainSignatures(() => {
      nonces += 1
      return `0x${nonces.toString(16).padStart(64, '0')}`
    }),
    ratings: createPlainRatings(),
    clock,
    ids: createTestIds(1),
    held: { during: (_of: unknown, work: () => unknown) => work(), list: () => [] },
    wakeup: { settlements: () => undefined, verifications: () => undefined },
    identified: (caller: unknown) => Promise.resolve(caller),
    settings: {
      paymentMode: 'fase2',
      preferredNetwork: 'localnet',
      identityNetwork: 'localnet',
      autoRegister: true,
      requireIdentity: true,
      settleWaitMs: 1_000,
      leaseMs: 30_000,
      cashOutsPerDay: 500,
      bounds: { min: '0.01', escrowMax: '100', max: '10000' },
      policy: null,
      feedbackBaseUrl: 'http://localhost/feedback',
    },
    ...change,
  }
  return {
    // What a flow under test needs beside these, its test adds.
    deps: deps as unknown as MarketDeps,
    clock,
    chain,
    asked,
    of: (method) => asked.filter(([name]) => name === method).map(([, ...given]) => given),
  }
}

/** The claims of a store that keeps them: what a flow claimed is there when it is locked. */
export function keptClaims(claims = new Map<string, Settlement>()) {
  return {
    claimSettlement: (settlement: Settlement) => claims.set(settlement.id, settlement) !== undefined,
    lockSettlement: (id: string) => claims.get(id) ?? null,
  }
}

/** Who signs with this wallet. */
export const walletOf = (wallet: string, agentId: number | null = null): WalletCaller => ({
  kind: 'wallet',
  wallet,
  agentId,
  via: 'signature',
})

/** The code and the details of what refused the work; null where nothing did. */
export async function refusalOf(work: () => unknown): Promise<unknown> {
  try {
    await work()
    return null
  } catch (error) {
    return error instanceof MarketError ? [error.code, error.details] : error
  }
}

/** What the store was asked and told, a line each: what was written is read at a glance, and compared whole. */
export function linesOf(asked: readonly Asked[]): readonly string[] {
  return asked.map((words) => words.map(shown).join(' '))
}

function shown(value: unknown): string {
  if (typeof value === 'string') return value.replaceAll('01950000-0000-7000-8000-0000000f424', '#')
  if (value instanceof Date) return timeOf(value)
  if (value === undefined) return 'undefined'
  return JSON.stringify(value, asWord)
    .replaceAll('"', '')
    .replaceAll(scriptedNow.toISOString(), 'now')
    .replaceAll('{symbol:USDC,network:localnet,decimals:6}', 'USDC')
    .replaceAll(/\{atomic:(-?\d+n),asset:USDC\}/g, '$1 USDC')
    .replaceAll(/payment:\{network:[^}]*hash:(\w+)\}/g, 'payment:$1')
    .replaceAll(/0x0{30,}/g, '0x…')
    .replaceAll('01950000-0000-7000-8000-0000000f424', '#')
}

const asWord = (_key: string, value: unknown): unknown => {
  if (value instanceof Uint8Array) return String.fromCharCode(...value).replaceAll('"', '')
  return typeof value === 'bigint' ? `${String(value)}n` : value
}

const timeOf = (at: Date): string => (at.getTime() === scriptedNow.getTime() ? 'now' : at.toISOString())

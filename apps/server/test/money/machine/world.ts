import { randomBytes } from 'node:crypto'
import { mintTestUsd } from '@ergon/contracts'
import { refundCollectorBytecode } from '@ergon/contracts/testing'
import { createMarket, type Market, type MarketDeps, type Rail } from '@ergon/core'
import {
  createCountingRegistry,
  createPlainEvidence,
  createPlainInspector,
  createPlainRatings,
  createPlainUploads,
  createTestIds,
} from '@ergon/core/testing'
import { createTestDatabase } from '@ergon/dev-env/testing'
import {
  bytesToHex,
  lowerAddress,
  networks,
  privateKeySigner,
  type Address,
  type Hex,
  type Signer,
} from '@ergon/protocols'
import type { PaymentMode } from '@ergon/contract'
import type { Pool } from 'pg'
import { createPool, createPostgresStore } from '../../../src/adapters/postgres/index.ts'
import { eventually, rpc, startRig, type Rig } from '../../adapters/rig.ts'
import { shiftTime, type ShiftedTime } from './shifted-time.ts'
import { serverSchema } from '../../../src/testing/server-schema.ts'

/** A wallet of one sequence. */
export type Wallet = { readonly address: Address; readonly signer: Signer }

/** What is done while an order is on its way, and what becomes of its answer. */
export type Interruption = {
  readonly before: () => Promise<void>
  readonly after: () => Promise<void>
  readonly answer: 'kept' | 'lost' | 'cut'
}

/** The market over everything that is real: PostgreSQL, rail, facilitator, chain. Time is shifted for all of it. */
export type World = AsyncDisposable & {
  readonly rig: Rig
  readonly pool: Pool
  readonly time: ShiftedTime
  readonly pocket: Address
  market(mode: PaymentMode): Market
  wallet(): Wallet
  mint(to: Address, atomic: bigint): Promise<void>
  /** The next order that is sent is interrupted so. */
  interrupt(interruption: Interruption | null): void
  /** Sends a call as any account, the node's or not, and answers whether it was carried out. */
  transact(from: Address, to: Address, data: Hex): Promise<'success' | 'reverted'>
  read(to: string, data: Hex): Promise<string>
  /** Any other question to the node. */
  node(method: string, ...params: readonly unknown[]): Promise<unknown>
}

export async function openWorld(): Promise<World> {
  await using stack = new AsyncDisposableStack()
  const rig = stack.use(await startRig())
  const { rpcUrl } = rig.chain
  const time = stack.use(shiftTime(rpcUrl))
  const database = stack.use(await createTestDatabase(serverSchema))
  const pool = createPool(database.url)
  stack.defer(() => pool.end())
  await rpc(rpcUrl, 'anvil_autoImpersonateAccount', [true])
  const line = interruptible(rig.adapters.rails)
  const markets = createMarkets(rig, pool, line.rails)
  const pocket = await deployPocket(rpcUrl)
  // The duties of a service run from its first second on.
  for (const duty of Object.values<() => Promise<number>>({ ...markets.fase2.duties })) await duty()
  const owned = stack.move()
  return {
    rig,
    pool,
    time,
    pocket,
    market: (mode) => markets[mode],
    wallet: () => {
      const signer = privateKeySigner(bytesToHex(randomBytes(32)))
      return { address: lowerAddress(signer.address), signer }
    },
    mint: (to, atomic) => mintTestUsd(rpcUrl, to, atomic),
    interrupt: line.interrupt,
    transact: (from, to, data) => transact(rpcUrl, { from, to, data }),
    read: async (to, data) => String(await rpc(rpcUrl, 'eth_call', [{ to, data }, 'latest'])),
    node: (method, ...params) => rpc(rpcUrl, method, params),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

function createMarkets(rig: Rig, pool: Pool, rails: MarketDeps['rails']): Readonly<Record<PaymentMode, Market>> {
  const { localnet } = networks
  const base: Omit<MarketDeps, 'settings'> = {
    ...rig.adapters,
    rails,
    store: createPostgresStore(pool, { identityNetwork: 'localnet' }),
    networks: [
      {
        name: 'localnet',
        caip2: localnet.caip2,
        chainId: 31_337,
        hasEscrow: true,
        tokens: localnet.tokens,
        takesRatings: true,
      },
    ],
    identities: createCountingRegistry(),
    ratings: createPlainRatings(),
    evidence: createPlainEvidence(),
    uploads: createPlainUploads(),
    ids: createTestIds(11),
    clock: { now: () => new Date() },
    wakeup: { settlements: () => undefined, verifications: () => undefined },
    verification: { inspector: createPlainInspector(), reviewer: () => null },
  }
  const settings: Omit<MarketDeps['settings'], 'paymentMode'> = {
    preferredNetwork: 'localnet',
    identityNetwork: 'localnet',
    autoRegister: true,
    requireIdentity: false,
    settleWaitMs: 5_000,
    leaseMs: 15_000,
    bounds: { min: '0.01', escrowMax: '100', max: '10000' },
    policy: null,
    feedbackBaseUrl: 'http://market.test/feedback',
  }
  const open = (paymentMode: PaymentMode): Market => createMarket({ ...base, settings: { ...settings, paymentMode } })
  return { fase1: open('fase1'), fase2: open('fase2'), fase5: open('fase5') }
}

/** Wraps the rails so that one order at a time can be interrupted on its way out and on its way back. */
function interruptible(rails: MarketDeps['rails']): {
  readonly rails: MarketDeps['rails']
  interrupt(interruption: Interruption | null): void
} {
  let next: Interruption | null = null
  const wrapped = new Map<string, Rail>()
  const wrap = (rail: Rail): Rail => ({
    ...rail,
    send: async (...given) => {
      const interruption = next
      next = null
      if (interruption === null) return rail.send(...given)
      await interruption.before()
      if (interruption.answer === 'cut') return { outcome: 'unknown' }
      const answer = await rail.send(...given)
      await interruption.after()
      return interruption.answer === 'lost' ? { outcome: 'unknown' } : answer
    },
  })
  return {
    rails(network) {
      const rail = wrapped.get(network) ?? wrap(rails(network))
      wrapped.set(network, rail)
      return rail
    },
    interrupt: (interruption) => {
      next = interruption
    },
  }
}

async function deployPocket(rpcUrl: string): Promise<Address> {
  const from = '0x14dc79964da2c08b23698b3d3cc7ca32193d9955'
  const hash = await rpc(rpcUrl, 'eth_sendTransaction', [{ from, data: refundCollectorBytecode, gas: '0x1e8480' }])
  await rpc(rpcUrl, 'evm_mine', [])
  const receipt = (await eventually(
    () => rpc(rpcUrl, 'eth_getTransactionReceipt', [hash]),
    (one) => one !== null,
  )) as { contractAddress: Address } // a receipt of EIP-1474
  const pocket = lowerAddress(receipt.contractAddress)
  await mintTestUsd(rpcUrl, pocket, 1_000_000_000n)
  return pocket
}

async function transact(
  rpcUrl: string,
  call: { readonly from: Address; readonly to: Address; readonly data: Hex },
): Promise<'success' | 'reverted'> {
  const hash = await rpc(rpcUrl, 'eth_sendTransaction', [{ ...call, gas: '0x1e8480', gasPrice: '0x0' }])
  await rpc(rpcUrl, 'evm_mine', [])
  const receipt = (await eventually(
    () => rpc(rpcUrl, 'eth_getTransactionReceipt', [hash]),
    (one) => one !== null,
  )) as { status: string } // a receipt of EIP-1474
  return receipt.status === '0x1' ? 'success' : 'reverted'
}

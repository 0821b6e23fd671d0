import type { Market, WalletCaller } from '@ergon/core'
import { type Hex, lowerAddress, parsePaymentAuth, type PaymentInfo, paymentInfoHash, wordAt } from '@ergon/protocols'
import type { PaymentMode } from '@ergon/contract'
import { localAddresses } from '@ergon/contracts'
import { asTypedData } from '../../adapters/orders.ts'
import { calls } from './calls.ts'
import type { Which } from './steps.ts'
import type { Wallet, World } from './world.ts'

/** An authorization that the payer signed, whether or not anybody was given it. */
export type Signed = {
  readonly info: PaymentInfo
  readonly hash: Hex
  readonly nonce: Hex
  readonly signature: Hex
  readonly raw: string
  readonly worker: 0 | 1
}
/** A direct payment that the payer signed (fase1). */
export type SignedTransfer = {
  readonly to: string
  readonly value: bigint
  readonly validAfter: bigint
  readonly validBefore: bigint
  readonly nonce: string
  readonly signature: Hex
}
/** What the payer signed to approve a submission, in the mode of its task. */
export type KeptOrder = { readonly submissionId: string } & Pick<
  Parameters<Market['approve']>[2],
  'order' | 'payoutAuth' | 'feeAuth'
>

/** One task with its parties, and what was signed for it. */
export type Scene = {
  readonly world: World
  readonly market: Market
  readonly mode: PaymentMode
  readonly taskId: string
  readonly bounty: bigint
  readonly payer: Wallet
  readonly workers: readonly [Wallet, Wallet]
  readonly anybody: Wallet
  readonly vault: Wallet
  readonly fromBlock: bigint
  readonly funded: bigint
  readonly start: number
  readonly signed: Signed[]
  readonly transfers: SignedTransfer[]
  /** Transactions that another client had the facilitator send. */
  readonly orderedPast: Set<string>
  /** Payments that were handed to the market with an assignment. */
  readonly spent: Set<string>
  executors: readonly [string | null, string | null]
  kept: KeptOrder | null
  deadline: number
  donated: bigint
}

export const caller = ({ address }: Wallet): WalletCaller => ({
  kind: 'wallet',
  wallet: address,
  agentId: null,
  via: 'signature',
})

const moneyOf = { '10': 10_000_000n, '1.07': 1_070_000n, '0.010007': 10_007n } as const

/** Publishes a task of fresh wallets; the first worker has applied. */
export async function openScene(world: World, mode: PaymentMode, bountyUsd: string): Promise<Scene> {
  const [payer, first, second, anybody, vault] = [
    world.wallet(),
    world.wallet(),
    world.wallet(),
    world.wallet(),
    world.wallet(),
  ]
  const bounty = Object.hasOwn(moneyOf, bountyUsd) ? moneyOf[bountyUsd as keyof typeof moneyOf] : 0n // its own key
  const funded = bounty * 4n
  const fromBlock = BigInt(String(await world.node('eth_blockNumber')))
  await world.mint(payer.address, funded)
  const market = world.market(mode)
  const { task } = await market.publish(caller(payer), {
    title: 'Photograph the gate',
    instructions: 'Stand in front of the gate and write what you see.',
    category: 'simple_action',
    bountyUsd,
    deadlineHours: 24,
    evidenceRequired: ['text_response'],
    evidenceOptional: [],
    locationHint: null,
    minReputation: 0,
    network: null,
    token: null,
    target: 'any',
    publisherType: 'agent',
    paymentAuth: null,
    idempotency: null,
  })
  const { executorId } = await market.apply(caller(first), task.id, { executorId: null, message: null })
  return {
    world,
    market,
    mode,
    taskId: task.id,
    bounty,
    payer,
    workers: [first, second],
    anybody,
    vault,
    fromBlock,
    funded,
    start: world.time.now(),
    signed: [],
    transfers: [],
    orderedPast: new Set(),
    spent: new Set(),
    executors: [executorId, null],
    kept: null,
    deadline: Math.floor(task.deadline.getTime() / 1_000),
    donated: 0n,
  }
}

/** The payment that a step speaks of; null before anything was signed. */
export function signedOf(scene: Scene, which: Which): Signed | null {
  return scene.signed.at(which === 'newest' || scene.signed.length < 2 ? -1 : -2) ?? null
}

/** Has the payer sign the challenge for a worker; nobody is given it yet. */
export async function signFor(scene: Scene, worker: 0 | 1): Promise<Signed | null> {
  const executorId = scene.executors[worker]
  if (executorId === null) return null
  const challenge = await scene.market.assignChallenge(caller(scene.payer), scene.taskId, executorId)
  const raw = await signEnvelope(scene, challenge)
  const { paymentInfo: info, authorization, signature } = parsePaymentAuth(JSON.parse(raw))
  const signed: Signed = {
    info,
    hash: paymentInfoHash(info, 31_337, localAddresses.Escrow),
    nonce: authorization.nonce,
    signature,
    raw,
    worker,
  }
  scene.signed.push(signed)
  return signed
}

export async function signEnvelope(
  scene: Scene,
  {
    typedData,
    envelope,
  }: { readonly typedData: Readonly<Record<string, unknown>>; readonly envelope: Readonly<Record<string, unknown>> },
): Promise<string> {
  const { payload, ...rest } = envelope as { payload: object } // as the adapter builds it
  const signature = await scene.payer.signer.signTypedData(asTypedData(typedData))
  return JSON.stringify({ ...rest, payload: { ...payload, signature } })
}

export async function stateOf(
  world: World,
  hash: string,
): Promise<{ readonly collected: boolean; readonly capturable: bigint; readonly refundable: bigint }> {
  const words = await world.read(lowerAddress(localAddresses.Escrow), calls.paymentState(hash))
  return { collected: wordAt(words, 0) !== 0n, capturable: wordAt(words, 1) ?? 0n, refundable: wordAt(words, 2) ?? 0n }
}

export async function balanceOf(world: World, account: string): Promise<bigint> {
  return wordAt(await world.read(lowerAddress(localAddresses.TestUSD), calls.balanceOf(account)), 0) ?? 0n
}

import {
  authorizationNonce,
  authorizeCalldata,
  lowerAddress,
  paymentInfoHash,
  paymentStateCalldata,
  receiveWithAuthorizationTypedData,
  refundCalldata,
  releaseCalldata,
  privateKeySigner,
  type Address,
  type Hex,
  type Network,
  type PaymentInfo,
  type Token,
} from '@ergon/protocols'
import { BaseError, erc20Abi, ExecutionRevertedError, type Abi } from 'viem'
import { artifacts } from '../artifacts.ts'
import type { ChainHand } from './chain-hand.ts'
import type { DeployOptions } from './options.ts'

/** A step without a transaction was taken by an earlier run. */
export type Proof = { readonly lockTx: Hex | undefined; readonly releaseTx: Hex | undefined; readonly hash: Hex }

const abi = artifacts.Operator.abi as unknown as Abi // a JSON ABI is one; only the literal types are missing
const unit = 1n
/** What the lock and the release may take, with what a first release puts up. */
export const proofGas = 700_000n
/** Of an expiry, and of the proof: whenever a run was ended, the next can still release what it locked. */
const never = 2 ** 48 - 1

/** Reads back what can never be changed. @throws naming the first that is not as asked */
export async function proveConditions({ reader }: ChainHand, options: DeployOptions, row: Network): Promise<void> {
  const { escrow, operator } = deploymentOf(row)
  const expected: readonly (readonly [string, string])[] = [
    ['ESCROW', escrow],
    ['FEE_RECIPIENT', options.treasury],
    ['FACILITATOR', options.facilitator],
    ['FEE_BPS', String(options.feeBps)],
    ['MAX_DEPOSIT', String(options.maxDepositAtomic)],
  ]
  for (const [functionName, value] of expected) {
    const read = String(await reader.readContract({ address: operator, abi, functionName }))
    if (read.toLowerCase() !== value.toLowerCase())
      throw new Error(`${functionName} of the operator is ${read} and should be ${value}`)
  }
}

/**
 * The key locks one atomic unit for the facilitator, cannot take it back, and releases it: every step is read back from
 * the escrow and the token. It is the same payment in every run, so an earlier one is gone on with.
 */
export async function proveOneUnit(hand: ChainHand, options: DeployOptions, row: Network): Promise<Proof> {
  const { escrow, operator } = deploymentOf(row)
  const info = paymentOf(hand, options, row)
  const hash = paymentInfoHash(info, hand.chainId, escrow)
  const before = await stateOf(hand, escrow, hash)
  const lockTx = before.isCollected ? undefined : await lock(hand, options, row, info)
  const releaseTx =
    before.isCollected && before.held === 0n ? undefined : await release(hand, { escrow, operator, info, hash })
  const after = await stateOf(hand, escrow, hash)
  if (after.paidOut !== unit) throw new Error(`the escrow paid out ${String(after.paidOut)} of the one unit`)
  return { lockTx, releaseTx, hash }
}

function paymentOf(hand: ChainHand, options: DeployOptions, row: Network): PaymentInfo {
  const { operator } = deploymentOf(row)
  return {
    operator,
    payer: lowerAddress(hand.account.address),
    receiver: lowerAddress(options.facilitator),
    token: tokenOf(row).asset,
    maxAmount: unit,
    preApprovalExpiry: never,
    authorizationExpiry: never,
    refundExpiry: never,
    minFeeBps: 0,
    maxFeeBps: options.feeBps,
    feeReceiver: operator,
    salt: 0n,
  }
}

async function lock(hand: ChainHand, { privateKey }: DeployOptions, row: Network, info: PaymentInfo): Promise<Hex> {
  const { escrow, operator, collector } = deploymentOf(row)
  const { name, version, asset } = tokenOf(row)
  await expectUnit(hand, row)
  const domain = { name, version, chainId: hand.chainId, verifyingContract: asset }
  const signature = await privateKeySigner(privateKey).signTypedData(
    receiveWithAuthorizationTypedData(domain, {
      from: info.payer,
      to: collector,
      value: unit,
      validAfter: 0n,
      validBefore: BigInt(info.preApprovalExpiry),
      nonce: authorizationNonce(info, hand.chainId, escrow),
    }),
  )
  const { hash } = await hand.send(operator, authorizeCalldata(info, unit, collector, signature))
  return hash
}

type Locked = { readonly escrow: Address; readonly operator: Address; readonly info: PaymentInfo; readonly hash: Hex }

async function release(hand: ChainHand, { escrow, operator, info, hash }: Locked): Promise<Hex> {
  await expectHeld(hand, escrow, hash, unit)
  await expectRefused(hand, operator, refundCalldata('legacy', info, unit))
  const before = await balanceOf(hand, info.token, info.receiver)
  const released = await hand.send(operator, releaseCalldata('legacy', info, unit))
  await expectHeld(hand, escrow, hash, 0n)
  const got = (await balanceOf(hand, info.token, info.receiver)) - before
  if (got !== unit) throw new Error(`the payee got ${String(got)} of the one unit that was released`)
  return released.hash
}

/** @throws where the key has nothing to prove with */
export async function expectUnit(hand: ChainHand, row: Network): Promise<void> {
  const { asset, symbol } = tokenOf(row)
  const payer = lowerAddress(hand.account.address)
  if ((await balanceOf(hand, asset, payer)) < unit)
    throw new Error(`${payer} has no ${symbol}: the proof needs one atomic unit of it`)
}

function tokenOf(row: Network): Token & { readonly asset: Address } {
  const [token] = Object.values(row.tokens)
  if (token === undefined) throw new Error(`the row ${row.name} has no token`)
  return { ...token, asset: lowerAddress(token.address) }
}

function balanceOf({ reader }: ChainHand, token: Address, owner: Address): Promise<bigint> {
  return reader.readContract({ address: token, abi: erc20Abi, functionName: 'balanceOf', args: [owner] })
}

function deploymentOf(row: Network): {
  readonly escrow: Address
  readonly operator: Address
  readonly collector: Address
} {
  if (row.escrow === undefined) throw new Error(`the row ${row.name} has no escrow`)
  const { escrow, operator, collector } = row.escrow
  return { escrow: lowerAddress(escrow), operator: lowerAddress(operator), collector: lowerAddress(collector) }
}

type State = { readonly isCollected: boolean; readonly held: bigint; readonly paidOut: bigint }

async function stateOf({ reader }: ChainHand, escrow: Address, hash: Hex): Promise<State> {
  const { data = '0x' } = await reader.call({ to: escrow, data: paymentStateCalldata(hash) })
  const word = (index: number): bigint => BigInt(`0x${data.slice(2 + 64 * index, 66 + 64 * index) || '0'}`)
  return { isCollected: word(0) === 1n, held: word(1), paidOut: word(2) }
}

async function expectHeld(hand: ChainHand, escrow: Address, hash: Hex, atomic: bigint): Promise<void> {
  const { held } = await stateOf(hand, escrow, hash)
  if (held !== atomic)
    throw new Error(`the escrow holds ${String(held)} of the payment and should hold ${String(atomic)}`)
}

/** A payer who could take the bounty back would do it after seeing the work. No answer is no refusal. */
async function expectRefused({ reader, account }: ChainHand, operator: Address, data: Hex): Promise<void> {
  const refusal = await reader.call({ account, to: operator, data }).then(
    () => undefined,
    (error: unknown) => error,
  )
  if (refusal === undefined) throw new Error('the operator lets a payer take back what is locked')
  const isRevert = refusal instanceof BaseError && refusal.walk((one) => one instanceof ExecutionRevertedError) !== null
  if (!isRevert) throw new Error('the node does not say whether a payer could take back what is locked: run it again')
}

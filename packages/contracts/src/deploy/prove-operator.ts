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
} from '@ergon/protocols'
import { erc20Abi, type Abi } from 'viem'
import { artifacts } from '../artifacts.ts'
import type { ChainHand } from './chain-hand.ts'
import type { DeployOptions } from './options.ts'

export type Proof = { readonly lockTx: Hex; readonly releaseTx: Hex; readonly hash: Hex }

const abi = artifacts.Operator.abi as unknown as Abi // a JSON ABI is one; only the literal types are missing
const unit = 1n
const hour = 3_600

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
 * the escrow and the token.
 */
export async function proveOneUnit(hand: ChainHand, options: DeployOptions, row: Network): Promise<Proof> {
  const { escrow, operator, collector } = deploymentOf(row)
  const [token] = Object.values(row.tokens)
  if (token === undefined) throw new Error(`the row ${row.name} has no token`)
  const asset = lowerAddress(token.address)
  const payer = lowerAddress(hand.account.address)
  const balanceOf = (owner: Address): Promise<bigint> =>
    hand.reader.readContract({ address: asset, abi: erc20Abi, functionName: 'balanceOf', args: [owner] })
  if ((await balanceOf(payer)) < unit)
    throw new Error(`${payer} has no ${token.symbol}: the proof needs one atomic unit of it`)
  const before = await balanceOf(options.facilitator)
  const now = Number((await hand.reader.getBlock()).timestamp)
  const info: PaymentInfo = {
    operator,
    payer,
    receiver: lowerAddress(options.facilitator),
    token: asset,
    maxAmount: unit,
    preApprovalExpiry: now + hour,
    authorizationExpiry: now + 2 * hour,
    refundExpiry: now + 2 * hour,
    minFeeBps: 0,
    maxFeeBps: options.feeBps,
    feeReceiver: operator,
    salt: BigInt(now),
  }
  const hash = paymentInfoHash(info, hand.chainId, escrow)
  const domain = { name: token.name, version: token.version, chainId: hand.chainId, verifyingContract: asset }
  const signature = await privateKeySigner(options.privateKey).signTypedData(
    receiveWithAuthorizationTypedData(domain, {
      from: payer,
      to: collector,
      value: unit,
      validAfter: 0n,
      validBefore: BigInt(info.preApprovalExpiry),
      nonce: authorizationNonce(info, hand.chainId, escrow),
    }),
  )
  const lock = await hand.send(operator, authorizeCalldata(info, unit, collector, signature))
  await expectHeld(hand, escrow, hash, unit)
  await expectRefused(hand, operator, refundCalldata('legacy', info, unit))
  const release = await hand.send(operator, releaseCalldata('legacy', info, unit))
  await expectHeld(hand, escrow, hash, 0n)
  const got = (await balanceOf(options.facilitator)) - before
  if (got !== unit) throw new Error(`the payee got ${String(got)} of the one unit that was released`)
  return { lockTx: lock.hash, releaseTx: release.hash, hash }
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

/** The second word of the state of a payment is what can still be paid out. */
async function expectHeld({ reader }: ChainHand, escrow: Address, hash: Hex, atomic: bigint): Promise<void> {
  const { data = '0x' } = await reader.call({ to: escrow, data: paymentStateCalldata(hash) })
  const held = BigInt(`0x${data.slice(2 + 64, 2 + 128) || '0'}`)
  if (held !== atomic)
    throw new Error(`the escrow holds ${String(held)} of the payment and should hold ${String(atomic)}`)
}

/** A payer who could take the bounty back would do it after seeing the work. */
async function expectRefused({ reader, account }: ChainHand, operator: Address, data: Hex): Promise<void> {
  const isRefused = await reader.call({ account, to: operator, data }).then(
    () => false,
    () => true,
  )
  if (!isRefused) throw new Error('the operator lets a payer take back what is locked')
}

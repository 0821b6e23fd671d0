import { artifacts } from '@ergon/contracts'
import {
  authorizationNonce,
  paymentInfoHash,
  zeroAddress,
  type Address,
  type Hex,
  type PaymentInfo,
} from '@ergon/protocols'
import fc from 'fast-check'
import { encodeFunctionData, type Abi } from 'viem'
import { cancelDigest } from '../../src/chain/token.ts'
import { deployment, tokenDomain } from '../../src/chain/deployment.ts'
import { accountAt, hash32 } from './twin.ts'

/** Payer, second payer, payee, a stranger and the facilitator. */
export const actors = [4, 7, 5, 6, 1].map((index) => accountAt(index))

export type Operation = {
  readonly actor: number
  readonly kind:
    | 'authorize'
    | 'charge'
    | 'release'
    | 'refundInEscrow'
    | 'refundPostEscrow'
    | 'reclaim'
    | 'escrowAuthorize'
    | 'capture'
    | 'void'
    | 'partialVoid'
    | 'distributeFees'
    | 'transfer'
    | 'transferWithAuthorization'
    | 'receiveWithAuthorization'
    | 'cancelAuthorization'
  readonly payment: number
  readonly amount: bigint
  /** What is wrong with it, if anything. */
  readonly flaw: 'none' | 'signature' | 'collector' | 'value'
  /** Seconds until the block it goes into. */
  readonly after: number
}

/** A few payments of a few shapes; `base` keeps one run's apart from another's. */
export function paymentsOf(base: string, start: number): readonly PaymentInfo[] {
  const common = {
    operator: deployment.operator,
    payer: lower(actors[0]?.address),
    receiver: lower(actors[2]?.address),
    token: deployment.token,
    maxAmount: 1_000_003n,
    preApprovalExpiry: start + 60,
    authorizationExpiry: start + 400,
    refundExpiry: start + 800,
    minFeeBps: 0,
    maxFeeBps: 1_300,
    feeReceiver: deployment.operator,
  }
  const salt = (name: string): bigint => BigInt(hash32(`${base} ${name}`))
  return [
    { ...common, salt: salt('plain') },
    {
      ...common,
      payer: lower(actors[1]?.address),
      maxAmount: 50n,
      preApprovalExpiry: start + 300,
      salt: salt('second'),
    },
    { ...common, operator: lower(actors[3]?.address), feeReceiver: zeroAddress, salt: salt('bare operator') },
    { ...common, maxFeeBps: 100, salt: salt('fee bounds') },
    { ...common, receiver: deployment.treasury, salt: salt('forbidden') },
    { ...common, maxAmount: 200_000_000n, salt: salt('too much') },
    { ...common, authorizationExpiry: start + 30, salt: salt('expiries') },
    { ...common, feeReceiver: zeroAddress, salt: salt('fee receiver') },
    { ...common, minFeeBps: 1_300, maxFeeBps: 10_001, salt: salt('overflow') },
  ]
}

export function anOperation(): fc.Arbitrary<Operation> {
  const kinds = [
    'authorize',
    'authorize',
    'authorize',
    'charge',
    'release',
    'release',
    'refundInEscrow',
    'refundPostEscrow',
    'reclaim',
    'escrowAuthorize',
    'capture',
    'void',
    'partialVoid',
    'distributeFees',
    'transfer',
    'transferWithAuthorization',
    'receiveWithAuthorization',
    'cancelAuthorization',
  ] as const
  return fc.record({
    actor: fc.oneof({ weight: 3, arbitrary: fc.constant(4) }, { weight: 4, arbitrary: fc.integer({ min: 0, max: 4 }) }),
    kind: fc.constantFrom(...kinds),
    payment: fc.oneof(
      { weight: 3, arbitrary: fc.integer({ min: 0, max: 2 }) },
      { weight: 1, arbitrary: fc.integer({ min: 0, max: 8 }) },
    ),
    amount: fc.constantFrom(1_000_003n, 1_000_003n, 50n, 1n, 0n, 500_000n, 7n, 999_999_999_999n),
    flaw: fc.constantFrom('none', 'none', 'none', 'none', 'signature', 'collector', 'value'),
    after: fc.oneof(
      { weight: 5, arbitrary: fc.integer({ min: 1, max: 5 }) },
      { weight: 1, arbitrary: fc.integer({ min: 1, max: 300 }) },
    ),
  })
}

type Encoded = { readonly to: Address; readonly data: Hex }

export async function encode(operation: Operation, payments: readonly PaymentInfo[], start: number): Promise<Encoded> {
  const info = payments[operation.payment]
  if (info === undefined) throw new Error('no such payment')
  const { operator, escrow, token } = deployment
  const amount = operation.flaw === 'value' ? operation.amount + 1n : operation.amount
  const collector = operation.flaw === 'collector' ? token : deployment.collector
  const funded = async (): Promise<readonly unknown[]> => [info, amount, collector, await signatureOf(info, operation)]
  const call = (name: 'Operator' | 'Escrow' | 'TestUSD', functionName: string, args: readonly unknown[]): Encoded => ({
    to: name === 'Operator' ? operator : name === 'Escrow' ? escrow : token,
    data: encodeFunctionData({ abi: artifacts[name].abi as unknown as Abi, functionName, args }), // a JSON ABI is one
  })
  switch (operation.kind) {
    case 'authorize':
    case 'charge':
      return call('Operator', operation.kind, await funded())
    case 'release':
      return call('Operator', 'release', operation.flaw === 'none' ? [info, amount] : [info, amount, '0x'])
    case 'refundInEscrow':
      return call('Operator', 'refundInEscrow', operation.flaw === 'none' ? [info, amount] : [info, amount, '0x1234'])
    case 'refundPostEscrow':
      return call('Operator', 'refundPostEscrow', [info, amount, deployment.collector, '0x'])
    case 'reclaim':
      return call('Escrow', 'reclaim', [info])
    case 'escrowAuthorize':
      return call('Escrow', 'authorize', await funded())
    case 'capture':
      return call('Escrow', 'capture', [
        info,
        amount,
        500,
        operation.flaw === 'value' ? zeroAddress : lower(actors[3]?.address),
      ])
    case 'void':
      return call('Escrow', 'void', [info])
    case 'partialVoid':
      return call('Escrow', 'partialVoid', [info, amount])
    case 'distributeFees':
      return call('Operator', 'distributeFees', [operation.flaw === 'value' ? zeroAddress : token])
    case 'transfer':
      return call('TestUSD', 'transfer', [operation.flaw === 'value' ? zeroAddress : info.receiver, amount])
    default:
      return signedTransfer(operation, info, start, call)
  }
}

async function signatureOf(info: PaymentInfo, operation: Operation): Promise<Hex> {
  const signer = actors.find((one) => lower(one.address) === info.payer) ?? accountAt(4)
  const message = {
    from: info.payer,
    to: deployment.collector,
    value: info.maxAmount,
    validAfter: 0n,
    validBefore: BigInt(info.preApprovalExpiry),
    nonce: authorizationNonce(info, deployment.chainId, deployment.escrow),
  }
  const signature = await signer.signTypedData({
    domain: tokenDomain,
    types: { ReceiveWithAuthorization: fields },
    primaryType: 'ReceiveWithAuthorization',
    message,
  })
  return operation.flaw === 'signature' ? flawed(signature, operation.actor) : signature
}

const fields = [
  { name: 'from', type: 'address' },
  { name: 'to', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'validAfter', type: 'uint256' },
  { name: 'validBefore', type: 'uint256' },
  { name: 'nonce', type: 'bytes32' },
] as const

/** Signatures that are wrong in each of the ways the coin tells apart. */
function flawed(signature: Hex, which: number): Hex {
  const body = signature.slice(2)
  const ways: readonly Hex[] = [
    `0x${body.slice(0, 128)}1d`,
    `0x${body.slice(0, 100)}`,
    `0x${body.slice(0, 64)}${'f'.repeat(64)}1b`,
    `0x${'11'.repeat(32)}${body.slice(64)}`,
    `0x${'00'.repeat(64)}1b`,
  ]
  return ways[which % ways.length] ?? signature
}

type Encode = (name: 'TestUSD', functionName: string, args: readonly unknown[]) => Encoded

async function signedTransfer(operation: Operation, info: PaymentInfo, start: number, call: Encode): Promise<Encoded> {
  const signer = accountAt(4)
  const [from, to] = [lower(signer.address), lower(actors[operation.actor]?.address)]
  const nonce = hash32(`transfer ${String(info.salt)}`)
  const message = {
    from,
    to,
    value: operation.amount,
    validAfter: operation.flaw === 'value' ? BigInt(start + 100) : 0n,
    validBefore: BigInt(start + 200),
    nonce,
  }
  const primaryType =
    operation.kind === 'receiveWithAuthorization' ? 'ReceiveWithAuthorization' : 'TransferWithAuthorization'
  const signed =
    operation.kind === 'cancelAuthorization'
      ? await signer.sign({ hash: `0x${Buffer.from(cancelDigest(from, nonce)).toString('hex')}` })
      : await signer.signTypedData({ domain: tokenDomain, types: { [primaryType]: fields }, primaryType, message })
  const signature = operation.flaw === 'signature' ? flawed(signed, operation.payment) : signed
  const parts =
    signature.length === 132 && operation.flaw === 'none'
      ? [Number(`0x${signature.slice(130)}`), `0x${signature.slice(2, 66)}`, `0x${signature.slice(66, 130)}`]
      : [signature]
  if (operation.kind === 'cancelAuthorization') return call('TestUSD', 'cancelAuthorization', [from, nonce, ...parts])
  return call('TestUSD', operation.kind, [
    from,
    to,
    message.value,
    message.validAfter,
    message.validBefore,
    nonce,
    ...parts,
  ])
}

function lower(address: string | undefined): Address {
  // A known account's address stays one in lowercase.
  return (address ?? zeroAddress).toLowerCase() as Address
}

export function hashesOf(payments: readonly PaymentInfo[]): readonly Hex[] {
  return payments.map((info) => paymentInfoHash(info, deployment.chainId, deployment.escrow))
}

import {
  hashTypedData,
  lowerAddress,
  networkByChainId,
  ProtocolError,
  tokenByAddress,
  type Address,
  type EscrowDeployment,
  type Network,
  type PaymentInfo,
  type TokenDomain,
  type TypedData,
} from '@ergon/protocols'
import { demand, NotSigned, type Scene } from './statement.ts'

/** A token of our own table, on a network of it. */
export type KnownToken = {
  readonly network: Network & { readonly chainId: number }
  readonly domain: TokenDomain
  readonly symbol: string
  readonly decimals: number
}

/** @throws NotSigned where the chain or the token is none of those that this wallet signs for */
export function knownToken({ networks }: Scene, chainId: unknown, address: Address): KnownToken {
  const row = typeof chainId === 'number' ? networkByChainId(chainId) : undefined
  const network = networks.find(({ name }) => name === row?.name)
  demand(network?.chainId !== undefined, `chain ${String(chainId)} is none that this wallet signs for`)
  const token = tokenByAddress(network, address)
  demand(token !== undefined, `${address} is no known token of ${network.title}`)
  const { name, version, symbol, decimals } = token
  const domain = { name, version, chainId: network.chainId, verifyingContract: lowerAddress(address) }
  return { network: { ...network, chainId: network.chainId }, domain, symbol, decimals }
}

/** @throws NotSigned where the network has no escrow */
export function escrowOf({ escrow, title }: Network): EscrowDeployment {
  demand(escrow !== undefined, `${title} has no escrow`)
  return escrow
}

/** @throws NotSigned where a reader of wire data throws: what cannot be read cannot be explained */
export function reading<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof ProtocolError)
      throw new NotSigned(`the terms cannot be read: ${error.message}`, { cause: error })
    throw error
  }
}

/** Holds what came against the document built from the terms, by what would be signed. @throws NotSigned */
export function requireSame(own: TypedData, came: unknown): void {
  // A foreign shape ends in a throw of the hash.
  const hashed = reading(() => hashTypedData(came as TypedData))
  demand(hashTypedData(own).join() === hashed.join(), `it is not the ${own.primaryType} that its terms make`)
}

/** The shape of the market's ids (RFC 9562 §5.7). */
const version7 = /^([0-9a-f]{8})([0-9a-f]{4})(7[0-9a-f]{3})([89ab][0-9a-f]{3})([0-9a-f]{12})$/

/** The task that the salt of a payment carries (decision 0094); undefined where it carries none. */
export function taskIn({ salt }: Pick<PaymentInfo, 'salt'>): string | undefined {
  const parts = version7.exec((salt >> 128n).toString(16).padStart(32, '0'))
  return parts?.slice(1).join('-')
}

/** Millionths of a token; what is below one counts as one. */
export function millionths(atomic: bigint, decimals: number): bigint {
  if (decimals <= 6) return atomic * 10n ** BigInt(6 - decimals)
  const unit = 10n ** BigInt(decimals - 6)
  return (atomic + unit - 1n) / unit
}

/** Atomic units of an amount as the wire says it, with six decimals. @throws NotSigned where it says none */
export function atomicSaid(said: unknown, decimals: number): bigint {
  demand(typeof said === 'number' && said > 0 && said < 1e9, 'the words beside it name no amount')
  const amount = BigInt(said.toFixed(6).replace('.', ''))
  return decimals >= 6 ? amount * 10n ** BigInt(decimals - 6) : amount / 10n ** BigInt(6 - decimals)
}

/** `1070000` is `1.07`: at least two decimals, at most six. */
export function decimalOf(amount: bigint): string {
  const [whole = '0', part = ''] = [amount / 1_000_000n, amount % 1_000_000n].map(String)
  return `${whole}.${part.padStart(6, '0').replace(/0{1,4}$/, '')}`
}

/** Minutes are enough for a person. */
export function timeOf(unix: number): string {
  return `${new Date(unix * 1_000).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

/** `1.07 USDC (Base, chain 8453)`. */
export function moneyOf(amount: bigint, { symbol, network }: KnownToken): string {
  return `${decimalOf(amount)} ${symbol} (${network.title}, chain ${String(network.chainId)})`
}

import { artifacts, localAddresses, localRoles } from '@ergon/contracts'
import type { Hex } from '@ergon/protocols'
import { createPublicClient, http, parseAbi, parseEventLogs, type Abi, type Log } from 'viem'

/** One event of the escrow about one payment, as the chain tells it. */
export type EscrowLog = {
  readonly kind: 'authorized' | 'charged' | 'captured' | 'voided' | 'reclaimed' | 'refunded'
  readonly hash: string
  readonly atomic: bigint
  readonly fee: bigint
  readonly txHash: string
  readonly logIndex: number
  readonly blockNumber: bigint
}
export type Transfer = { readonly from: string; readonly to: string; readonly atomic: bigint; readonly txHash: string }
export type PaymentOnChain = { readonly hash: string; readonly payer: string; readonly payee: string }

/** Everything that moved since the chain began, read from its logs and from nothing else. */
export type ChainFacts = {
  readonly payments: readonly PaymentOnChain[]
  readonly logs: readonly EscrowLog[]
  readonly transfers: readonly Transfer[]
  readonly operator: string
  readonly treasury: string
}

const kinds: Readonly<Record<string, EscrowLog['kind']>> = {
  PaymentAuthorized: 'authorized',
  PaymentCharged: 'charged',
  PaymentCaptured: 'captured',
  PaymentVoided: 'voided',
  PaymentPartiallyVoided: 'voided',
  PaymentReclaimed: 'reclaimed',
  PaymentRefunded: 'refunded',
}

const transferEvent = parseAbi(['event Transfer(address indexed from, address indexed to, uint256 value)'])

export async function readChainFacts(rpcUrl: string): Promise<ChainFacts> {
  const chain = createPublicClient({ transport: http(rpcUrl, { timeout: 30_000 }) })
  const everything = { fromBlock: 0n, toBlock: 'latest' } as const
  const [ofEscrow, ofToken] = [
    await chain.getLogs({ address: localAddresses.Escrow, ...everything }),
    await chain.getLogs({ address: localAddresses.TestUSD, ...everything }),
  ]
  // The compiled interface is JSON: what it says about itself is checked by decoding with it.
  const events = parseEventLogs({
    abi: artifacts.Escrow.abi as unknown as Abi,
    logs: ofEscrow,
  }) as unknown as readonly Decoded[]
  const transfers = parseEventLogs({ abi: transferEvent, logs: ofToken }).map(({ args, transactionHash }) => ({
    from: args.from.toLowerCase(),
    to: args.to.toLowerCase(),
    atomic: args.value,
    txHash: transactionHash,
  }))
  return {
    payments: events.flatMap(paymentIn),
    logs: events.flatMap(logOf),
    transfers,
    operator: localAddresses.Operator.toLowerCase(),
    treasury: localRoles.treasury.address.toLowerCase(),
  }
}

type Decoded = Log<bigint, number, false> & {
  readonly eventName: string
  readonly args: {
    readonly paymentInfoHash: Hex
    readonly amount: bigint
    readonly feeBps?: number
    readonly paymentInfo?: { readonly payer: string; readonly receiver: string }
  }
}

function paymentIn({ args }: Decoded): readonly PaymentOnChain[] {
  return args.paymentInfo === undefined
    ? []
    : [
        {
          hash: args.paymentInfoHash,
          payer: args.paymentInfo.payer.toLowerCase(),
          payee: args.paymentInfo.receiver.toLowerCase(),
        },
      ]
}

function logOf({ eventName, args, transactionHash, logIndex, blockNumber }: Decoded): readonly EscrowLog[] {
  const kind = kinds[eventName]
  if (kind === undefined) return []
  const fee = (args.amount * BigInt(args.feeBps ?? 0)) / 10_000n
  return [
    { kind, hash: args.paymentInfoHash, atomic: args.amount, fee, txHash: transactionHash, logIndex, blockNumber },
  ]
}

/** What an account holds by the transfers. */
export function balanceIn({ transfers }: Pick<ChainFacts, 'transfers'>, account: string): bigint {
  const own = account.toLowerCase()
  return transfers.reduce(
    (sum, { from, to, atomic }) => sum + (to === own ? atomic : 0n) - (from === own ? atomic : 0n),
    0n,
  )
}

/** What a payment still holds: what was authorized and neither paid out nor given back. */
export function heldIn({ logs }: Pick<ChainFacts, 'logs'>, hash: string): bigint {
  const sum = (...of: readonly EscrowLog['kind'][]): bigint =>
    logs.filter((log) => log.hash === hash && of.includes(log.kind)).reduce((total, { atomic }) => total + atomic, 0n)
  return sum('authorized') - sum('captured', 'voided', 'reclaimed')
}

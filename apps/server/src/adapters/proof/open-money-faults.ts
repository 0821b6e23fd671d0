import { isSignedVoucher } from '@ergon/channels'
import { lowerAddress, paymentInfoHash, type Network } from '@ergon/protocols'
import type { Counted, HeldPayments, OpenChannels, OpenMoney } from '../postgres/open-money.ts'
import { paymentInfoOf } from '../rails/order-request.ts'

/** Under what the settings would bring open money to its end. */
export type ServedTerms = {
  readonly networks: readonly Network[]
  /** Null: no channels are kept. */
  readonly solana: {
    readonly network: string
    readonly operator: string
    readonly voucherKey: string
    readonly paysBounties: boolean
  } | null
}
/** What would be out of reach, as a sentence that names the setting. */
export type OpenMoneyFault = { readonly network: string; readonly sentence: string }

/** Each network where something is open that nobody could end under these settings (decision 0298). */
export function openMoneyFaults(served: ServedTerms, open: OpenMoney): readonly OpenMoneyFault[] {
  const kept = new Set([
    ...served.networks.map(({ name }) => name),
    ...(served.solana === null ? [] : [served.solana.network]),
  ])
  const gone = new Map<string, number>()
  const held = open.held.map(({ count, sample }) => ({ network: sample.network, count }))
  for (const { network, count } of [...held, ...open.channels, ...open.promised, ...open.moving, ...open.fees])
    if (!kept.has(network)) gone.set(network, (gone.get(network) ?? 0) + count)
  return [
    ...[...gone].map(([network, count]) => ({ network, sentence: goneSentence(network, count) })),
    ...open.held.flatMap((one) => heldFaults(served, one)),
    ...open.channels.flatMap((one) => channelFaults(served, one)),
    ...promisedFaults(served, open.promised),
  ]
}

const goneSentence = (network: string, count: number): string =>
  `${network} is no longer served, and ${things(count, 'job or payment', 'jobs and payments')} of it ${isOrAre(count)} ` +
  `open, or their fees: serve it until they have ended, closed by SVC_CLOSED_NETWORKS`

function heldFaults({ networks }: ServedTerms, { count, sample }: HeldPayments): readonly OpenMoneyFault[] {
  const row = networks.find(({ name }) => name === sample.network)
  if (row === undefined) return []
  const other = otherIn(row, sample)
  if (other === null) return []
  const what = things(count, 'open payment', 'open payments')
  return [
    {
      network: row.name,
      sentence: `${what} of ${row.name} ${isOrAre(count)} under ${other}: keep its row until ${count === 1 ? 'it has' : 'they have'} ended`,
    },
  ]
}

/** What of the row is not what the payment was locked under; null where all of it is. */
function otherIn(row: Network, sample: HeldPayments['sample']): string | null {
  const { escrow, chainId } = row
  if (escrow === undefined || chainId === undefined) return 'an escrow that the row has not'
  if (lowerAddress(escrow.operator) !== sample.operator.toLowerCase())
    return `the operator contract ${sample.operator}, and the row names ${escrow.operator}`
  const token = Object.values(row.tokens).find(({ address }) => address.toLowerCase() === sample.token.toLowerCase())
  if (token?.symbol !== sample.asset.symbol)
    return `the token ${sample.asset.symbol} ${sample.token}, which the row has not`
  const hash = paymentInfoHash(paymentInfoOf(sample), chainId, lowerAddress(escrow.escrow))
  return hash === sample.hash ? null : `another escrow contract or chain id than the row names`
}

function channelFaults(
  { solana }: ServedTerms,
  { network, payee, count, sample }: OpenChannels,
): readonly OpenMoneyFault[] {
  if (solana?.network !== network) return []
  const what = `${things(count, 'open channel', 'open channels')} of ${network}`
  if (payee !== solana.operator)
    return [
      {
        network,
        sentence: `${what} ${count === 1 ? 'pays' : 'pay'} through ${payee}, and SVC_SOLANA_OPERATOR_KEY is of ${solana.operator}: keep the key until they have ended`,
      },
    ]
  if (
    sample === null ||
    isSignedVoucher(
      { channelId: sample.id, cumulative: sample.cumulative, expiresAt: 0n },
      sample.signature,
      solana.voucherKey,
    )
  )
    return []
  return [
    {
      network,
      sentence: `${what} ${count === 1 ? 'takes' : 'take'} vouchers of another key than SVC_SOLANA_VOUCHER_KEY: keep the key until they have ended`,
    },
  ]
}

/** Without bounties there, nothing pays what was promised. */
function promisedFaults({ solana }: ServedTerms, promised: readonly Counted[]): readonly OpenMoneyFault[] {
  if (solana === null || solana.paysBounties) return []
  return promised
    .filter(({ network }) => network === solana.network)
    .map(({ network, count }) => ({
      network,
      sentence: `${things(count, 'open job', 'open jobs')} of ${network} ${isOrAre(count)} paid at approval: leave SVC_SOLANA_BOUNTIES on until they have ended`,
    }))
}

const things = (count: number, one: string, many: string): string => `${String(count)} ${count === 1 ? one : many}`
const isOrAre = (count: number): string => (count === 1 ? 'is' : 'are')

import { httpUrlsOf } from '@ergon/process'
import { ProtocolError, solanaRow, type Network, type SolanaCluster } from '@ergon/protocols'
import { StartupError } from '../errors.ts'
import type { GasLimits } from '../gas/gas-budget.ts'
import type { SolanaConfig } from '../solana/network.ts'
import { dayLimits } from './day-limits.ts'
import { decimal } from './decimal.ts'
import type { RawSettings, RawSolana } from './env.ts'

/** Names by which the list of networks asks for Solana. */
export function isSolanaName(name: string): boolean {
  return name === 'solana' || name.startsWith('solana:')
}

/** The cluster that is served, if the list of networks names Solana. @throws StartupError naming the setting */
export function decideSolana(
  { solana, rpcUrls, smallestPayment }: RawSettings,
  names: readonly string[],
  isLoopback: boolean,
): SolanaConfig | undefined {
  const asked = names.filter(isSolanaName)
  if (asked.length === 0) {
    const left = Object.values(solana).some((value) => value !== undefined)
    if (left) throw new StartupError('settings of Solana are there, and FACILITATOR_NETWORKS does not name solana')
    return undefined
  }
  const row = rowOf(solana)
  if (asked.length > 1 || (asked[0] !== row.name && asked[0] !== row.caip2))
    throw new StartupError(`FACILITATOR_NETWORKS must name Solana once, as solana or as ${row.caip2}`)
  const urls = httpUrlsOf(rpcUrls.get(row.name) ?? '')
  if (urls === undefined)
    throw new StartupError('set FACILITATOR_RPC_SOLANA to the URL of a node of Solana, or several')
  const witnesses = Number(solana.witnesses ?? '1')
  if (!Number.isSafeInteger(witnesses) || witnesses < 1 || witnesses > urls.length)
    throw new StartupError('FACILITATOR_SOLANA_WITNESSES must be at least 1 and at most the number of nodes')
  return {
    row,
    rpcUrls: urls,
    witnesses,
    mostPriority: decimal('FACILITATOR_SOLANA_PRIORITY', solana.priority, '0.00005', 9),
    perDay: decidePerDay(solana.perDay, isLoopback),
    alarmBelow: decimal('FACILITATOR_SOL_ALARM', solana.alarm, '0.1', 9),
    smallest: decimal('FACILITATOR_SMALLEST_PAYMENT', smallestPayment, row.testnet ? '0' : '0.001', 6),
  }
}

function rowOf({ genesis, mint }: RawSolana): Network {
  if ((genesis === undefined) !== (mint === undefined))
    throw new StartupError('set both FACILITATOR_SOLANA_GENESIS and FACILITATOR_SOLANA_MINT, or neither')
  const cluster: SolanaCluster | undefined =
    genesis === undefined || mint === undefined ? undefined : { genesisHash: genesis, mint }
  try {
    return solanaRow(cluster)
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
    throw new StartupError(`FACILITATOR_SOLANA_GENESIS: ${error.message}`)
  }
}

/** About 2,000 payments of one wallet without new token accounts, or 10 with one each. */
function decidePerDay(value: string | undefined, isLoopback: boolean): GasLimits | undefined {
  const shape = { places: 9, example: 'wallet/client/total in SOL, such as 0.025/0.25/2.5' }
  return dayLimits('FACILITATOR_SOL_PER_DAY', value ?? `0.025/${isLoopback ? '0' : '0.25'}/2.5`, shape)
}

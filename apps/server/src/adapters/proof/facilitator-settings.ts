import type { Address, Network } from '@ergon/protocols'
import { isRecord } from '../chain/rpc.ts'
import type { Fields } from '../facilitator/facilitator-client.ts'

/** What this service relies on of the facilitator it was given. */
export type Relied = {
  /** Signs orders that give money back. */
  readonly orderSigner: Address
  readonly networks: readonly {
    readonly row: Network
    /** By the contract, read from this service's own node; null when it could not be read. */
    readonly treasury: Address | null
  }[]
}

/**
 * Each difference between what the service relies on and what the facilitator answers, as a sentence that names
 * the setting to change. What the facilitator does not say is not held against it: any x402 facilitator may be used.
 */
export function differences(relied: Relied, said: Fields): readonly string[] {
  const served = listOf(said['networks']).filter(isRecord)
  const silent = silentNetworks(said)
  return [
    ...delegateFault(relied, said),
    ...relied.networks.flatMap((one) => {
      const other = served.find(({ network }) => network === one.row.name)
      if (other !== undefined) return networkFaults(one, other)
      const isSilent = silent.includes(one.row.name)
      return isSilent || served.length === 0
        ? []
        : [`the facilitator does not serve ${one.row.name}: add it to FACILITATOR_NETWORKS`]
    }),
  ]
}

/** Networks of which the facilitator knows nothing yet: no node of theirs has answered it. */
export function silentNetworks(said: Fields): readonly unknown[] {
  return listOf(said['silent_networks'])
}

/** Refunds are ordered by the service: the facilitator must take them from its key, or of the treasury's owner. */
function delegateFault({ orderSigner, networks }: Relied, said: Fields): readonly string[] {
  const { order_delegates: delegates, lifecycle_mode: mode } = said
  const isNeeded = networks.some(({ row, treasury }) => row.escrow !== undefined && !isSame(treasury, orderSigner))
  if (!isNeeded || !Array.isArray(delegates) || mode !== 'enforce') return []
  return delegates.some((one) => isSame(one, orderSigner))
    ? []
    : [
        `the facilitator takes no orders from ${orderSigner}, the address of SVC_ORDER_SIGNER_KEY, ` +
          'so every refund would be refused: add it to FACILITATOR_ORDER_DELEGATES',
      ]
}

function networkFaults({ row, treasury }: Relied['networks'][number], other: Fields): readonly string[] {
  const [escrow, registries] = [recordOf(other['escrow']), recordOf(other['registries'])]
  const compared: readonly (readonly [string, unknown, unknown])[] = [
    ['chain id', row.chainId, other['chain_id']],
    ...(row.escrow === undefined
      ? []
      : ([
          ['escrow contract', row.escrow.escrow, escrow['escrow']],
          ['token collector', row.escrow.collector, escrow['token_collector']],
          ['operator contract', row.escrow.operator, escrow['operator']],
          ['operator generation', row.escrow.operatorAbi, escrow['operator_abi']],
          ...(treasury === null ? [] : ([['treasury', treasury, escrow['treasury']]] as const)),
        ] as const)),
    ...(row.erc8004 === undefined
      ? []
      : ([
          ['identity registry', row.erc8004.identity, registries['identity']],
          ['reputation registry', row.erc8004.reputation, registries['reputation']],
        ] as const)),
  ]
  const tokens = listOf(other['tokens'])
  return [
    ...compared
      .filter(([, ours, theirs]) => !isSame(ours, theirs))
      .map(
        ([what, ours, theirs]) =>
          `the facilitator has another ${what} on ${row.name} (${shown(theirs)}, here ${shown(ours)}): ` +
          'give both the same network row',
      ),
    ...Object.values(row.tokens)
      .filter(({ address }) => tokens.length > 0 && !tokens.some((one) => isSame(one, address)))
      .map(
        ({ symbol, address }) =>
          `the facilitator does not settle ${symbol} ${address} on ${row.name}: give both the same network row`,
      ),
  ]
}

const shown = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : 'none'

function isSame(one: unknown, other: unknown): boolean {
  return shown(one).toLowerCase() === shown(other).toLowerCase()
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const recordOf = (value: unknown): Fields => (isRecord(value) ? value : {})

import { decimalsCalldata, lowerAddress, otherDecimals, type Address, type Network } from '@ergon/protocols'
import type { FacilitatorClient, Fields } from '../facilitator/facilitator-client.ts'
import type { ServedNetwork, ServedNetworks } from '../networks.ts'
import type { Treasuries } from '../chain/treasuries.ts'
import { differences, silentNetworks } from './facilitator-settings.ts'

/**
 * What asking showed. `silent` names whoever did not answer, of whom nothing is proven; `strangers` are nodes of
 * another chain, which nobody believes.
 */
export type Proof = {
  readonly faults: readonly string[]
  readonly silent: readonly string[]
  readonly strangers?: readonly string[]
}

export type ProofDeps = {
  readonly networks: ServedNetworks
  readonly facilitator: FacilitatorClient
  readonly treasuries: Treasuries
  readonly orderSigner: Address
}

const timeoutMs = 3_000

/** Asks the nodes and the facilitator whether they are what the settings take them for (decision 0118). */
export async function proveSettings({ networks, facilitator, treasuries, orderSigner }: ProofDeps): Promise<Proof> {
  const nodes = await Promise.all(networks.all.map((network) => askNode(network, treasuries)))
  const said = await facilitator.get('/settings', timeoutMs)
  const faults = nodes.flatMap((node) => node.faults)
  const strangers = nodes.flatMap((node) => node.strangers)
  const silent = nodes.flatMap((node) => (node.isSilent ? [`the node of ${node.row.name}`] : []))
  if (said.kind === 'done')
    return {
      faults: [...faults, ...differences({ orderSigner, networks: nodes }, said.body)],
      silent: [...silent, ...unprovenThere(nodes, said.body)],
      strangers,
    }
  // Any x402 facilitator may be used; one that says nothing of itself answers, with a refusal.
  const answers = await facilitator.get('/health', timeoutMs)
  return { faults, strangers, silent: answers.kind === 'done' ? silent : [...silent, 'the facilitator'] }
}

/** What the facilitator cannot prove yet is asked about again. */
function unprovenThere(nodes: readonly Node[], said: Fields): readonly string[] {
  const there = silentNetworks(said)
  return nodes.flatMap(({ row }) => (there.includes(row.name) ? [`the facilitator's node of ${row.name}`] : []))
}

type Node = {
  readonly row: Network
  readonly treasury: Address | null
  readonly faults: readonly string[]
  readonly strangers: readonly string[]
  readonly isSilent: boolean
}

/** A call to an address without code succeeds and does nothing: a wrong address looks like an empty one. */
async function askNode({ row, rpc, chainId, ...rest }: ServedNetwork, treasuries: Treasuries): Promise<Node> {
  const contracts = contractsOf(row)
  const others = (await rpc.chainIds()).filter((id) => id !== undefined && id !== chainId)
  const strangers = others.map(
    (id) => `the node of ${row.name} is on chain ${String(id)}, not ${String(chainId)}: change ${settingOf(row)}`,
  )
  const calls = contracts.map(([, address]) => ({ method: 'eth_getCode', params: [address, 'latest'] }))
  const block = { method: 'eth_blockNumber', params: [] }
  const tokens = Object.values(row.tokens)
  const decimals = tokens.map(({ address }) => ({
    method: 'eth_call',
    params: [{ to: address, data: decimalsCalldata() }, 'latest'],
  }))
  const answers = await rpc.batch([block, ...calls, ...decimals], { timeoutMs }).catch(() => null)
  if (answers === null) return { row, treasury: null, faults: [], strangers, isSilent: true }
  const codes = answers.slice(1)
  const missing = contracts.filter((_, index) => codes[index]?.result === '0x').map(([what]) => what)
  const network: ServedNetwork = { row, rpc, chainId, ...rest }
  const treasury =
    row.escrow === undefined || missing.length > 0 ? null : await treasuries.of(network).catch(() => null)
  return {
    row,
    treasury,
    strangers,
    isSilent: false,
    faults: [
      ...missing.map((what) => `the node of ${row.name} knows no ${what} at its address: change ${settingOf(row)}`),
      ...tokens.flatMap((token, index) => {
        const fault = otherDecimals(token, codes[contracts.length + index]?.result)
        return fault === undefined ? [] : [`${fault}: change the row of ${row.name}`]
      }),
    ],
  }
}

const settingOf = ({ name }: Network): string => `SVC_RPC_${name.toUpperCase().replaceAll('-', '_')}`

function contractsOf({ escrow, erc8004, tokens }: Network): readonly (readonly [string, Address])[] {
  return [
    ...Object.values(tokens).map(({ symbol, address }) => [`token ${symbol}`, lowerAddress(address)] as const),
    ...(escrow === undefined
      ? []
      : ([
          ['escrow contract', lowerAddress(escrow.escrow)],
          ['token collector', lowerAddress(escrow.collector)],
          ['operator contract', lowerAddress(escrow.operator)],
        ] as const)),
    ...(erc8004 === undefined
      ? []
      : ([
          ['identity registry', lowerAddress(erc8004.identity)],
          ['reputation registry', lowerAddress(erc8004.reputation)],
        ] as const)),
  ]
}

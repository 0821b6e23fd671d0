import type { Operations, OutputOf } from '@ergon/contract'
import type { Network } from '@ergon/protocols'

type WireNetwork = OutputOf<Operations['payments.networks']>['networks'][number]

export function presentNetwork(network: Network, takesNewJobs: boolean): WireNetwork {
  const { escrow } = network
  return {
    name: network.name,
    title: network.title,
    caip2: network.caip2,
    chain_id: network.chainId ?? null,
    escrow:
      escrow === undefined
        ? null
        : { escrow: escrow.escrow, operator: escrow.operator, token_collector: escrow.collector },
    tokens: Object.values(network.tokens).map(presentToken),
    explorer_tx_url: network.explorerTxUrl ?? null,
    takes_new_jobs: takesNewJobs,
  }
}

export function presentToken({
  symbol,
  address,
  decimals,
  name,
  version,
}: Network['tokens'][string]): WireNetwork['tokens'][number] {
  return { symbol, address, decimals, name, version }
}

import type { Network } from '@ergon/protocols'
import { code, page, table } from './table.ts'

/** Every network that has a row, its tokens and the contracts that hold the money. */
export function networkPage(networks: readonly Network[]): string {
  const overview = networks.map((network) => [
    code(network.name),
    code(network.caip2),
    network.rail === 'escrow' ? `escrow, ${network.escrow?.operatorAbi ?? 'no'} operator` : 'direct SPL transfer',
    Object.keys(network.tokens).join(', '),
    network.ratings,
  ])
  return page(
    'Networks',
    'packages/protocols/src/network-table.ts',
    table(['Name', 'CAIP-2', 'Rail', 'Tokens', 'New ratings'], overview),
    ...networks.map(networkDetails),
  )
}

function networkDetails(network: Network): string {
  const contracts = Object.entries({ ...network.escrow, ...network.erc8004 }).filter(([name]) => name !== 'operatorAbi')
  const tokens = Object.values(network.tokens).map((token) => [token.symbol, token.address])
  return [
    `## ${network.title}`,
    table(
      ['What', 'Address'],
      [...contracts, ...tokens].map(([name = '', address = '']) => [name, code(address)]),
    ),
  ].join('\n\n')
}

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
  const tokens = Object.values(network.tokens)
  const addresses = tokens.map((token) => [token.symbol, token.address])
  const domains = tokens.map(({ symbol, name, version, decimals }) => [symbol, name, version, String(decimals)])
  return [
    `## ${network.title}`,
    table(
      ['What', 'Address'],
      [...contracts, ...addresses].map(([name = '', address = '']) => [name, code(address)]),
    ),
    // What a wallet signs for a token is under this name and version (EIP-712).
    ...(network.rail === 'escrow' ? [table(['Token', 'Name', 'Version', 'Decimals'], domains)] : []),
  ].join('\n\n')
}

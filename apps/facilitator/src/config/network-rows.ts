import { isAddress, type Network } from '@ergon/protocols'
import { StartupError } from '../errors.ts'

/** With the nodes that are asked where no setting names any. */
export type NetworkRow = Network & { readonly rpcUrls?: readonly string[] }

/** Rows an operator adds without touching the code; same shape as the built-in table. */
export function parseNetworkRows(value: unknown): NetworkRow[] {
  if (!Array.isArray(value)) throw new StartupError('FACILITATOR_NETWORKS_FILE must hold a list of rows')
  return (value as unknown[]).map((entry) => {
    const row = entry as Partial<NetworkRow> | null
    const name = typeof row?.name === 'string' ? row.name : '(unnamed)'
    const fail = (what: string): never => {
      throw new StartupError(`the network row ${name} ${what}`)
    }
    if (row === null || typeof row.name !== 'string' || typeof row.chainId !== 'number')
      return fail('needs a name and a chainId')
    if (row.caip2 !== `eip155:${row.chainId}`) return fail('has a caip2 that does not match its chainId')
    if (row.rpcUrls !== undefined && !isListOfTexts(row.rpcUrls)) return fail('has rpcUrls that are no list of URLs')
    const escrow = row.escrow
    if (escrow !== undefined) {
      if (![escrow.escrow, escrow.collector, escrow.operator].every(isAddress))
        return fail('has an escrow address that is none')
      if (escrow.operatorAbi !== 'legacy' && escrow.operatorAbi !== 'create3')
        return fail('needs operatorAbi legacy or create3')
    }
    if (row.erc8004 !== undefined && ![row.erc8004.identity, row.erc8004.reputation].every(isAddress))
      return fail('has a registry address that is none')
    const tokens = Object.values(row.tokens ?? {})
    if (tokens.length === 0) return fail('needs at least one token')
    for (const token of tokens) {
      if (
        !isAddress(token.address) ||
        typeof token.name !== 'string' ||
        typeof token.version !== 'string' ||
        typeof token.decimals !== 'number'
      ) {
        return fail('has a token without address, name, version or decimals')
      }
    }
    // Every field this service reads is checked above.
    return { title: row.name, testnet: false, rail: 'escrow', ratings: 'readable', ...row } as NetworkRow
  })
}

function isListOfTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === 'string')
}

import { isAddress } from './bytes.ts'
import type { Network, Token } from './network.ts'
import { ProtocolError } from './protocol-error.ts'

/**
 * Rows that an operator adds without touching the code: a list in the shape of the built-in table. Of an EVM chain with
 * tokens; title, rail, `testnet` (false), `ratings` (`readable`) and the symbols of tokens have defaults.
 * @throws ProtocolError `malformed`, naming the row and what it lacks
 */
export function parseNetworkRows(value: unknown): readonly Network[] {
  if (!Array.isArray(value)) throw new ProtocolError('malformed', 'network rows are a list')
  const rows = (value as unknown[]).map(parseRow)
  const names = rows.map(({ name }) => name)
  const twice = names.find((name, index) => names.indexOf(name) < index)
  if (twice !== undefined) throw new ProtocolError('malformed', `the network row ${twice} is there twice`)
  return rows
}

/** What the wire can say of an amount; sums over several tokens count on it too (decision 0009). */
const tokenDecimals = 6

/** Nodes keep the state of so many blocks without being archives. */
const mostConfirmations = 100

function parseRow(entry: unknown): Network {
  const row = entry as Partial<Network> | null
  const name = typeof row?.name === 'string' ? row.name : '(unnamed)'
  const fail = (what: string): never => {
    throw new ProtocolError('malformed', `the network row ${name} ${what}`)
  }
  if (row === null || typeof row.name !== 'string' || typeof row.chainId !== 'number')
    return fail('needs a name and a chainId')
  // Settings are named after it: SVC_RPC_MY_CHAIN.
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(row.name))
    return fail('has a name that is not small letters, digits and hyphens')
  if (row.caip2 !== `eip155:${String(row.chainId)}`) return fail('has a caip2 that does not match its chainId')
  const { escrow, erc8004 } = row
  if (escrow !== undefined) {
    if (![escrow.escrow, escrow.collector, escrow.operator].every(isAddress))
      return fail('has an escrow address that is none')
    if (escrow.operatorAbi !== 'legacy' && escrow.operatorAbi !== 'create3')
      return fail('needs operatorAbi legacy or create3')
  }
  if (erc8004 !== undefined && ![erc8004.identity, erc8004.reputation].every(isAddress))
    return fail('has a registry address that is none')
  const { confirmations = 0 } = row
  if (!Number.isSafeInteger(confirmations) || confirmations < 0 || confirmations > mostConfirmations)
    return fail(`needs confirmations from 0 to ${String(mostConfirmations)}`)
  const tokens = Object.entries(row.tokens ?? {})
  if (tokens.length === 0) return fail('needs at least one token')
  if (!tokens.every(([, token]) => isToken(token)))
    return fail('has a token without address, name, version or decimals')
  const other = tokens.find(([, { decimals }]) => decimals !== tokenDecimals)
  if (other !== undefined)
    return fail(`has the token ${other[0]} with ${String(other[1].decimals)} decimals; only 6 are served`)
  return {
    title: row.name,
    testnet: false,
    rail: 'escrow',
    ratings: 'readable',
    ...row,
    tokens: Object.fromEntries(tokens.map(([symbol, token]) => [symbol, { ...token, symbol }])),
  } as Network // every field that is read is checked above or has a default
}

function isToken(token: Partial<Token> | null): boolean {
  return (
    token !== null &&
    isAddress(token.address) &&
    typeof token.name === 'string' &&
    typeof token.version === 'string' &&
    typeof token.decimals === 'number'
  )
}

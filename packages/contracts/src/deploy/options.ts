import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import {
  isAddress,
  isHex32,
  parseNetworkRows,
  privateKeySigner,
  type Address,
  type Hex,
  type Network,
} from '@ergon/protocols'

export type DeployOptions = {
  readonly rpcUrl: string
  /** Pays the gas, and is the payer of the proof. */
  readonly privateKey: Hex
  /** The only account that gives money back, and besides the payer the only one that pays it out. */
  readonly facilitator: Address
  /** Where fees go. */
  readonly treasury: Address
  readonly feeBps: number
  /** The most that one payment may hold, in atomic units. */
  readonly maxDepositAtomic: bigint
  /** Undefined: the row of the built-in table whose chain the node is on. */
  readonly base: Network | undefined
  /** What the printed row is called; undefined is the base's name with `-own`. */
  readonly name: string | undefined
}

export const deployUsage = `ergon-contracts deploy [options]

Puts an operator of yours before the escrow of a chain, proves it by a lock and a release of one atomic unit, and
prints the row for SVC_NETWORKS_FILE and FACILITATOR_NETWORKS_FILE. Nobody audited this operator: see
docs/decisions/0119-an-operator-of-your-own.md, and prefer the ones that are deployed.

  --rpc URL           a node of the chain
  --key-file FILE     the private key that pays the gas and is the payer of the proof: it needs gas and one unit
  --facilitator ADDR  the account of your facilitator; for good
  --treasury ADDR     where fees go; for good
  --fee-bps N         the fee of each payment, in hundredths of a percent (default 1300); for good
  --max-deposit N     the most that one payment may hold, in atomic units (default 100000000); for good
  --row FILE          a row of the chain, whose operator is replaced; without it the built-in row of the node's chain
  --name NAME         what the printed row is called (default the base's name with -own)
  --help              print this`

/** Undefined when help is asked for. @throws with a message for the reader */
export function readDeployOptions(args: readonly string[]): DeployOptions | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rpc: { type: 'string' },
      'key-file': { type: 'string' },
      facilitator: { type: 'string' },
      treasury: { type: 'string' },
      'fee-bps': { type: 'string', default: '1300' },
      'max-deposit': { type: 'string', default: '100000000' },
      row: { type: 'string' },
      name: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return undefined
  const rpcUrl = needed('--rpc', values.rpc)
  if (!URL.canParse(rpcUrl)) throw new Error('--rpc takes the URL of a node')
  return {
    rpcUrl,
    privateKey: keyIn(needed('--key-file', values['key-file'])),
    facilitator: addressIn('--facilitator', values.facilitator),
    treasury: addressIn('--treasury', values.treasury),
    feeBps: Number(wholeIn('--fee-bps', values['fee-bps'], 10_000n)),
    maxDepositAtomic: wholeIn('--max-deposit', values['max-deposit'], 2n ** 120n - 1n),
    base: values.row === undefined ? undefined : rowIn(values.row),
    name: values.name,
  }
}

function needed(name: string, value: string | undefined): string {
  if (value === undefined) throw new Error(`${name} is missing; --help lists the options`)
  return value
}

function addressIn(name: string, value: string | undefined): Address {
  const text = needed(name, value)
  if (!isAddress(text) || /^0x0+$/.test(text)) throw new Error(`${name} takes an address`)
  return text
}

function wholeIn(name: string, text: string, most: bigint): bigint {
  if (!/^\d{1,40}$/.test(text) || BigInt(text) > most)
    throw new Error(`${name} takes a whole number up to ${String(most)}`)
  return BigInt(text)
}

/** The message never holds what the file does. */
function keyIn(path: string): Hex {
  const text = readFileSync(path, 'utf8').trim()
  if (!isHex32(text)) throw new Error('--key-file holds no private key: 0x and 64 hexadecimal digits')
  // Zero, and what is above the order of the curve, are no keys.
  try {
    privateKeySigner(text)
  } catch {
    throw new Error('--key-file holds a number that is no private key')
  }
  return text
}

function rowIn(path: string): Network {
  const read = jsonIn(path)
  const [row, another] = parseNetworkRows(Array.isArray(read) ? read : [read])
  if (row === undefined || another !== undefined) throw new Error('--row takes a file with one row')
  return row
}

/** A parser's own message would quote the file, which may be the key of the wrong option. */
function jsonIn(path: string): unknown {
  const text = readFileSync(path, 'utf8')
  try {
    return JSON.parse(text)
  } catch {
    throw new Error('--row takes a file of JSON')
  }
}

import {
  MarketError,
  type ChainBlock,
  type ChainLogs,
  type ChainWindow,
  type Distribution,
  type LogPlace,
  type Movement,
  type SeenMovement,
} from '@ergon/core'
import { addressTopic, eventTopic, type Hex, wordAt } from '@ergon/protocols'
import { readLog, type ChainLog } from '../chain/log-search.ts'
import { isRecord, RpcFault, type RpcCall } from '../chain/rpc.ts'
import type { Treasuries } from '../chain/treasuries.ts'
import type { FacilitatorClient } from '../facilitator/facilitator-client.ts'
import type { ServedNetwork } from '../networks.ts'
import { landedBy } from './confirm.ts'
import { lockIn } from './lock-in.ts'
import { expectMovements, movementOf } from './movements.ts'

export type ChainLogDeps = {
  readonly network: ServedNetwork
  readonly facilitator: FacilitatorClient
  readonly treasuries: Treasuries
}

/** Public nodes refuse wide ranges, each at a width of its own; what one answered is asked for again. */
const widest = 5_000n
const narrowest = 1n
const signersMs = 5_000
/** Transactions one node is asked for at once. */
const batch = 50

/** How many of the newest blocks may still be undone. */
const depths: Readonly<Record<string, number>> = {
  ethereum: 64,
  'ethereum-sepolia': 64,
  polygon: 256,
  avalanche: 16,
  celo: 16,
  arbitrum: 64,
}
const usualDepth = 32

/** Reads everything that happened to our contracts, whoever did it. Throws CHAIN_UNAVAILABLE. */
export function createChainLogs(deps: ChainLogDeps): ChainLogs {
  const { network } = deps
  let width = widest
  const guarded = async <T>(read: () => Promise<T>): Promise<T> => {
    try {
      return await read()
    } catch (error) {
      if (!(error instanceof RpcFault)) throw error
      throw new MarketError('CHAIN_UNAVAILABLE', { network: network.row.name }, { cause: error })
    }
  }
  return {
    depth: depths[network.row.name] ?? usualDepth,
    head: () => guarded(() => readBlock(network, 'latest')),
    window: (from, to, payers) =>
      guarded(async () => {
        for (;;) {
          const last = from + width - 1n < to ? from + width - 1n : to
          const window = await readWindow(deps, { from, last, payers })
          if (window !== null) {
            if (last - from + 1n === width && width < widest) width = width * 2n < widest ? width * 2n : widest
            return window
          }
          if (width <= narrowest) throw new RpcFault('the chain node refused eth_getLogs')
          width = (last - from + 1n) / 2n > narrowest ? (last - from + 1n) / 2n : narrowest
        }
      }),
    sentByFacilitator: (txHashes) => guarded(() => sentBy(deps, txHashes)),
    placeOf: (movement) => placeOf(network, movement),
  }
}

type Range = { readonly from: bigint; readonly last: bigint; readonly payers: readonly string[] }

/** One batch, so that logs and block come from one node; null when it refuses the range. */
async function readWindow(
  { network, treasuries }: ChainLogDeps,
  { from, last, payers }: Range,
): Promise<ChainWindow | null> {
  const { escrow, tokens } = network.row
  const range = { fromBlock: hexOf(from), toBlock: hexOf(last) }
  const addresses = Object.values(tokens).map(({ address }) => address)
  const filters = [
    ...(escrow === undefined
      ? []
      : [
          { address: escrow.escrow, topics: [expectMovements(escrow.escrow, null).events] },
          {
            address: addresses,
            topics: [
              [eventTopic('Transfer')],
              [addressTopic(escrow.operator)],
              [addressTopic(await treasuries.of(network))],
            ],
          },
        ]),
    ...(payers.length === 0
      ? []
      : [{ address: addresses, topics: [[eventTopic('AuthorizationUsed')], payers.map(addressTopic)] }]),
  ]
  const calls = [
    { method: 'eth_getBlockByNumber', params: [hexOf(last), false] },
    ...filters.map((filter): RpcCall => ({ method: 'eth_getLogs', params: [{ ...filter, ...range }] })),
  ]
  const [block, ...answers] = await network.rpc.batch(calls)
  // A node that has not this block yet answers its logs with none.
  if (block?.result === null) throw new RpcFault('the chain node is behind')
  if (answers.some(({ result }) => !Array.isArray(result))) return null
  const logs = answers.flatMap(({ result }) => (result as readonly unknown[]).map(readLog)) // arrays, as asked above
  return { through: toBlock(block?.result), ...sorted(network, logs) }
}

function sorted(network: ServedNetwork, logs: readonly ChainLog[]): Omit<ChainWindow, 'through'> {
  const of = (...topics: readonly Hex[]): readonly ChainLog[] =>
    logs.filter(({ topics: [event] }) => event !== undefined && topics.includes(event))
  const { escrow } = network.row
  return {
    movements:
      escrow === undefined
        ? []
        : of(...expectMovements(escrow.escrow, null).events).map((log) => seenIn(log, network, escrow.operator)),
    distributions: of(eventTopic('Transfer')).flatMap((log) => distributionIn(log, network)),
    spent: of(eventTopic('AuthorizationUsed')).flatMap((log) => {
      const [, payer, nonce] = log.topics
      return payer === undefined || nonce === undefined
        ? []
        : [{ ...landedBy(log), token: log.address, payer: `0x${payer.slice(26)}`, nonce }]
    }),
  }
}

/** The operator is the first word of the terms, which begin the data where an event repeats them. */
function seenIn(log: ChainLog, network: ServedNetwork, operator: string): SeenMovement {
  const movement = movementOf(log, network.row.name)
  if (movement.kind !== 'authorized' && movement.kind !== 'charged') return { ...movement, operator: null, lock: null }
  return wordAt(log.data, 0) === BigInt(operator)
    ? {
        ...movement,
        operator: 'ours',
        lock: movement.kind === 'authorized' ? lockIn(log, network, movement.hash) : null,
      }
    : { ...movement, operator: 'another', lock: null }
}

function distributionIn(
  { address, data, transactionHash, blockNumber, logIndex }: ChainLog,
  { row }: ServedNetwork,
): readonly Distribution[] {
  const token = Object.values(row.tokens).find((one) => one.address.toLowerCase() === address.toLowerCase())
  const atomic = wordAt(data, 0)
  if (token === undefined || atomic === undefined || atomic === 0n) return []
  return [
    {
      network: row.name,
      txHash: transactionHash,
      blockNumber,
      logIndex,
      asset: { symbol: token.symbol, network: row.name, decimals: token.decimals },
      atomic,
    },
  ]
}

async function sentBy(
  { network, facilitator }: ChainLogDeps,
  txHashes: readonly string[],
): Promise<ReadonlySet<string>> {
  const answer = await facilitator.get('/supported', signersMs)
  const named =
    answer.kind === 'done' && isRecord(answer.body['signers']) ? Object.values(answer.body['signers']).flat() : null
  if (named === null) throw new RpcFault('the facilitator does not name its keys')
  const signers = new Set([...named, ...(await formerAccounts(facilitator))].map((one) => String(one).toLowerCase()))
  const ours = new Set<string>()
  for (let start = 0; start < txHashes.length; start += batch) {
    const part = txHashes.slice(start, start + batch)
    const answers = await network.rpc.batch(
      part.map((hash) => ({ method: 'eth_getTransactionByHash', params: [hash] })),
    )
    for (const [index, { result, error }] of answers.entries()) {
      if (error !== undefined) throw new RpcFault('the chain node refused a transaction')
      const from = isRecord(result) ? result['from'] : undefined
      const hash = part[index]
      if (hash !== undefined && typeof from === 'string' && signers.has(from.toLowerCase())) ours.add(hash)
    }
  }
  return ours
}

/** What was sent before the facilitator had another key is ours, too. One that is another's tells of no such thing. */
async function formerAccounts(facilitator: ChainLogDeps['facilitator']): Promise<readonly unknown[]> {
  const answer = await facilitator.get('/settings', signersMs)
  if (answer.kind === 'done') {
    const { former_accounts: former } = answer.body
    return Array.isArray(former) ? (former as readonly unknown[]) : []
  }
  // Silence is not none: what the former key sent would be passed over for good.
  if (!hasNoSuchPath(answer.status)) throw new RpcFault('the facilitator does not name its former keys')
  return []
}

const hasNoSuchPath = (status = 0): boolean => status === 501 || (status >= 400 && status < 500 && !passing.has(status))
/** A client's fault by their number, and over in a while (RFC 9110, RFC 6585, RFC 8470). */
const passing: ReadonlySet<number> = new Set([408, 425, 429])

/** Of several like it in one transaction, the one where it was, or else the first. */
async function placeOf(network: ServedNetwork, movement: Movement): Promise<LogPlace | null> {
  const { escrow } = network.row
  const receipt = await network.chain.receipt(movement.txHash)
  if (receipt === null || !receipt.succeeded || escrow === undefined) return null
  const { events } = expectMovements(escrow.escrow, null)
  const like = receipt.logs
    .filter(
      ({ address, topics: [event, hash] }) =>
        address.toLowerCase() === escrow.escrow.toLowerCase() &&
        event !== undefined &&
        events.includes(event) &&
        hash === movement.hash,
    )
    .map((log) => movementOf(log, network.row.name))
    .filter(({ kind, atomic }) => kind === movement.kind && atomic === movement.atomic)
  const place = like.find(({ logIndex }) => logIndex === movement.logIndex) ?? like[0]
  return place === undefined ? null : { blockNumber: place.blockNumber, logIndex: place.logIndex }
}

async function readBlock(network: ServedNetwork, tag: string): Promise<ChainBlock> {
  return toBlock(await network.rpc.read('eth_getBlockByNumber', [tag, false]))
}

function toBlock(value: unknown): ChainBlock {
  const { number, timestamp } = isRecord(value) ? { number: value['number'], timestamp: value['timestamp'] } : {}
  if (typeof number !== 'string' || typeof timestamp !== 'string') throw new RpcFault('a block is not readable')
  return { number: BigInt(number), at: new Date(Number(BigInt(timestamp)) * 1_000) }
}

const hexOf = (block: bigint): string => `0x${block.toString(16)}`

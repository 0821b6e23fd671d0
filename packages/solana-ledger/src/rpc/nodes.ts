import { createNode, NodeFault, NodeSilent } from './node.ts'
import type { SolanaNode } from './node.ts'
import { createSlotWatch } from './slot-watch.ts'
import type { SlotWatch } from './slot-watch.ts'

/** No node of the cluster gave an answer that can be believed. It says nothing about what the ledger holds. */
export class LedgerUnavailable extends Error {
  override readonly name = 'LedgerUnavailable'
}

export type NodesOptions = {
  /** The first that answers is asked. */
  readonly urls: readonly string[]
  /** Base58. A node of another cluster is never believed. */
  readonly genesisHash: string
  readonly timeoutMs: number
  readonly now: () => number
  readonly sleep: (ms: number) => Promise<void>
  readonly onTrouble: (message: string) => void
}

/** A read: what is asked, and how its answer is understood. */
export type Read<T> = {
  readonly method: string
  /** @param leastSlot nothing older may be answered. */
  readonly params: (leastSlot: bigint) => readonly unknown[]
  /** `slot` is where the answer was read. @throws NodeSilent for what cannot be understood. */
  readonly read: (result: unknown) => { readonly value: T; readonly slot?: bigint }
  /** Left out where later reads may be older: what a node has only processed is ahead of what it has confirmed. */
  readonly isNoted?: boolean
  /** For reads of finalized blocks, which are behind what is confirmed. */
  readonly isOldAllowed?: boolean
  /** How many nodes are asked, and what their answers come to; undefined where they contradict each other. */
  readonly witnesses?: number
  readonly combine?: (answers: readonly T[]) => T | undefined
}

export type Nodes = {
  /** Asks in turn until answers read well, agree, and are not older than what was read before. */
  ask<T>(read: Read<T>): Promise<T>
  /** Offers a call to each node in turn until `take` keeps an answer; nothing is retried. */
  offer<T>(method: string, params: readonly unknown[], take: (answer: Offered) => T | undefined): Promise<T>
  /** How many nodes there are, and how many answered when they were last asked. */
  standing(): { readonly all: number; readonly answering: number }
}
export type Offered = { readonly result: unknown } | { readonly fault: NodeFault } | { readonly silent: NodeSilent }

type Known = {
  readonly node: SolanaNode
  readonly place: number
  restsUntil: number
  restMs: number
  isProven: boolean
}
type Pool = { readonly options: NodesOptions; readonly known: readonly Known[]; readonly slots: SlotWatch }

const shortestRestMs = 1_000
const longestRestMs = 60_000
/** A node that lags by a slot or two catches up in this time. */
const catchUpMs = 400
const rounds = 4
const slotNotReached = -32_016

/**
 * Several nodes of one cluster. One that stalls, refuses, lags behind what was read before, is ahead of what time
 * allows, or belongs to another cluster is passed over, and asked last for a while.
 */
export function createNodes(options: NodesOptions): Nodes {
  const known = options.urls.map((url, place): Known => {
    return { node: createNode(url, options.timeoutMs), place, restsUntil: 0, restMs: shortestRestMs, isProven: false }
  })
  const pool: Pool = { options, known, slots: createSlotWatch(options.now) }
  return {
    ask: (read) => ask(pool, read),
    offer: (method, params, take) => offer(pool, method, params, take),
    standing: () => ({ all: known.length, answering: known.filter((node) => restOf(pool, node) === 0).length }),
  }
}

async function ask<T>(pool: Pool, read: Read<T>): Promise<T> {
  await agreeOnFirstSlot(pool)
  const { witnesses = 1, combine = ([first]: readonly T[]) => first } = read
  const needed = Math.min(witnesses, pool.known.length)
  let last: unknown
  for (let round = 1; round <= rounds; round += 1) {
    const answers: T[] = []
    for (const node of inTurn(pool)) {
      const answer = await tryNode(pool, node, read)
      if ('error' in answer) last = answer.error
      else answers.push(answer.value)
      if (answers.length === needed) break
    }
    const combined = answers.length === needed ? combine(answers) : undefined
    if (combined !== undefined) return combined
    if (answers.length === needed) last = new NodeSilent('Solana nodes contradict each other')
    if (round < rounds) await pool.options.sleep(catchUpMs)
  }
  throw new LedgerUnavailable('no Solana node gives an answer that can be believed', { cause: last })
}

async function tryNode<T>(
  pool: Pool,
  node: Known,
  { method, params, read, isNoted = true, isOldAllowed = false }: Read<T>,
): Promise<{ readonly value: T } | { readonly error: Error }> {
  try {
    await prove(pool, node)
    const least = pool.slots.newest() ?? 0n
    const { value, slot = least } = read(await node.node.ask(method, params(least)))
    if (slot < least && !isOldAllowed) throw new NodeSilent('it lags behind what was read before')
    if (!pool.slots.allows(slot)) throw new NodeSilent('it is ahead of what time allows')
    if (isNoted) pool.slots.note(slot)
    node.restsUntil = 0
    node.restMs = shortestRestMs
    return { value }
  } catch (error) {
    if (!(error instanceof NodeSilent || error instanceof NodeFault)) throw error
    // Behind by a slot is no fault of a node: it is asked again.
    if (!(error instanceof NodeFault && error.code === slotNotReached)) rest(pool, node, error)
    return { error }
  }
}

/** One node that tells of a far future would make every other one look late: the middle of all is believed. */
async function agreeOnFirstSlot({ known, slots }: Pool): Promise<void> {
  if (slots.newest() !== undefined || known.length === 1) return
  const answers = await Promise.all(known.map(({ node }) => node.ask('getSlot', []).catch(() => undefined)))
  const told = answers.filter((slot): slot is number => Number.isSafeInteger(slot) && Number(slot) >= 0)
  const sorted = told.map((slot) => BigInt(slot)).toSorted((a, b) => (a < b ? -1 : 1))
  const middle = sorted[Math.floor((sorted.length - 1) / 2)]
  // Nodes lag behind each other by some slots; the first read tells the rest.
  if (middle !== undefined) slots.note(middle > catchUpSlots ? middle - catchUpSlots : 0n)
}
const catchUpSlots = 64n

function inTurn(pool: Pool): readonly Known[] {
  return pool.known.toSorted((a, b) => restOf(pool, a) - restOf(pool, b) || a.place - b.place)
}

function restOf({ options }: Pool, { restsUntil }: Known): number {
  return restsUntil > options.now() ? restsUntil : 0
}

function rest({ options, known }: Pool, node: Known, error: Error): void {
  const asked = error instanceof NodeSilent ? error.retryAfterMs : undefined
  node.restsUntil = options.now() + (asked ?? node.restMs)
  node.restMs = Math.min(node.restMs * 2, longestRestMs)
  node.isProven = false
  options.onTrouble(`Solana node ${node.place + 1} of ${known.length}: ${error.message}`)
}

async function prove({ options }: Pool, node: Known): Promise<void> {
  if (node.isProven) return
  if ((await node.node.ask('getGenesisHash', [])) !== options.genesisHash)
    throw new NodeSilent('it is of another cluster')
  node.isProven = true
}

async function offer<T>(
  pool: Pool,
  method: string,
  params: readonly unknown[],
  take: (answer: Offered) => T | undefined,
): Promise<T> {
  for (const node of inTurn(pool)) {
    const answer = await offerTo(pool, node, method, params)
    if ('silent' in answer) rest(pool, node, answer.silent)
    const taken = take(answer)
    if (taken !== undefined) return taken
  }
  throw new LedgerUnavailable('no Solana node took the transaction for certain')
}

async function offerTo(pool: Pool, node: Known, method: string, params: readonly unknown[]): Promise<Offered> {
  try {
    await prove(pool, node)
    return { result: await node.node.ask(method, params) }
  } catch (error) {
    if (error instanceof NodeFault) return { fault: error }
    if (error instanceof NodeSilent) return { silent: error }
    throw error
  }
}

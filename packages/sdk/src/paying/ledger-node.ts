import { decodeChannel, openSlotWindow } from '@ergon/channels'
import type { BoughtChannel } from './channel.ts'

/**
 * What a node shows of a channel: that it ended and what it cost, or what it holds. Undefined is unknown: it may still
 * be opened, or nobody keeps what became of it.
 */
export type Shown =
  | { readonly kind: 'ended'; readonly cost: bigint }
  | { readonly kind: 'holds'; readonly deposit: bigint; readonly height: bigint }
  | undefined

/** A node of Solana that a buyer trusts. Every method throws where it does not answer. */
export type LedgerNode = {
  show(channel: BoughtChannel, channelProgram: string): Promise<Shown>
  /** The height of finalized blocks from which on nothing lands that is signed by now. */
  deadFrom(): Promise<bigint>
}

/** Twice what a blockhash lives: the node may lag behind the one that the gateway asks. */
const deadBlocks = 300n
const patienceMs = 10_000

type Ask = (method: string, ...params: readonly unknown[]) => Promise<unknown>

export function createLedgerNode(url: string): LedgerNode {
  const ask: Ask = async (method, ...params) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      signal: AbortSignal.timeout(patienceMs),
    })
    const answer: unknown = await response.json()
    if (typeof answer === 'object' && answer !== null && 'result' in answer) return answer.result
    throw new Error(`the Solana node does not answer ${method}`)
  }
  return {
    show: (channel, channelProgram) => show(ask, channel, channelProgram),
    deadFrom: async () => (await standing(ask, 'processed')).height + deadBlocks,
  }
}

async function show(ask: Ask, { channelId, opening }: BoughtChannel, channelProgram: string): Promise<Shown> {
  // The height and the slot are read first: what is unknown afterwards is in no earlier block.
  const { height, slot } = await standing(ask, 'finalized')
  const since = { commitment: 'finalized', minContextSlot: Number(slot) }
  const account = fieldOf(await ask('getAccountInfo', channelId, { encoding: 'base64', ...since }), 'value')
  if (account !== null && fieldOf(account, 'owner') === channelProgram) {
    const [data] = listOf(fieldOf(account, 'data'))
    const { status, settled, deposit } = decodeChannel(bytesOf(data))
    return status === 'distributed' ? { kind: 'ended', cost: settled } : { kind: 'holds', deposit, height }
  }
  // Before that it may still be opened, and after it the program refuses its opening for good.
  if (opening === undefined || slot <= opening.openSlot + openSlotWindow + deadBlocks) return undefined
  // One that was opened, emptied and cleared away is gone as well: its transactions name it, as far as they are kept.
  if (numberOf(await ask('getFirstAvailableBlock')) > opening.openSlot) return undefined
  const named = listOf(await ask('getSignaturesForAddress', channelId, { limit: 1_000, ...since }))
  const isNever = named.length < 1_000 && named.every((past) => fieldOf(past, 'err') !== null)
  return isNever ? { kind: 'ended', cost: 0n } : undefined
}

async function standing(ask: Ask, commitment: 'processed' | 'finalized') {
  const info = await ask('getEpochInfo', { commitment })
  return { height: numberOf(fieldOf(info, 'blockHeight')), slot: numberOf(fieldOf(info, 'absoluteSlot')) }
}

function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !(name in value)) throw strange(name)
  return (value as Readonly<Record<string, unknown>>)[name] // it is there, as has just been asked
}

function listOf(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw strange('list')
  return value
}

function numberOf(value: unknown): bigint {
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw strange('number')
  return BigInt(value)
}

function bytesOf(value: unknown): Uint8Array {
  if (typeof value !== 'string') throw strange('data')
  return Uint8Array.from(atob(value), (letter) => letter.charCodeAt(0))
}

function strange(what: string): Error {
  return new Error(`the Solana node answers without its ${what}`)
}

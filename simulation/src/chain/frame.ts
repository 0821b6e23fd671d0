import type { Address, Hex } from '@ergon/protocols'
import type { WorldState } from './journal.ts'
import { bytesTail, uintWord } from './words.ts'

export type Log = { readonly address: Address; readonly topics: readonly Hex[]; readonly data: Hex }

/** One transaction, or one call that is only tried, on its way through the contracts. */
export type Frame = {
  readonly state: WorldState
  /** `block.timestamp`. */
  readonly time: bigint
  readonly logs: Log[]
}

/** A contract said no; `data` is what it said. */
export class Reverted extends Error {
  readonly data: Hex

  constructor(data: Hex) {
    super('execution reverted')
    this.data = data
  }
}

/** Ends a call with a custom error. */
export function revert(selector: Hex, words = ''): never {
  throw new Reverted(`${selector}${words}`)
}

/** `require(condition, text)`. */
export function require(condition: boolean, text: string): void {
  if (!condition) throw new Reverted(`0x08c379a0${uintWord(32)}${bytesTail(Buffer.from(text, 'utf8').toString('hex'))}`)
}

export function emit(frame: Frame, address: Address, topics: readonly Hex[], data: string): void {
  frame.logs.push({ address, topics, data: `0x${data}` })
}

export function addressTopic(address: Address): Hex {
  return `0x${address.slice(2).padStart(64, '0')}`
}

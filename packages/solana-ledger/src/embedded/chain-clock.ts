import { concatBytes, fromBase58, sha256, toBase58 } from '@ergon/protocols'

/** A slot of the main network takes 0.4 s, and a blockhash is good for 150 of them. */
export const slotMs = 400
export const blockhashSlots = 150n

/** The time of an embedded ledger: slots and blockhashes follow the wall clock, and nothing ticks while nobody asks. */
export type ChainClock = {
  slot(): bigint
  unixSec(): bigint
  /** Base58. */
  blockhashOf(slot: bigint): string
  /** Whether a transaction that names this blockhash may still be carried out. */
  isRecent(blockhash: string): boolean
  /** Moves the clock ahead for good, and answers how far it was moved in all. */
  skip(ms: number): number
}

export function createChainClock(
  { genesisHash, genesisMs, skippedMs }: { genesisHash: string; genesisMs: number; skippedMs: number },
  now: () => number,
): ChainClock {
  const seed = fromBase58(genesisHash)
  const known = new Map<string, bigint>()
  let skipped = skippedMs
  let newest = -1n
  let latestMs = genesisMs
  // A wall clock that is set back holds this one up; it never goes back.
  const time = (): number => (latestMs = Math.max(latestMs, now() + skipped))
  const slot = (): bigint => BigInt(Math.floor((time() - genesisMs) / slotMs)) + 1n
  const blockhashOf = (at: bigint): string => {
    const number = new Uint8Array(8)
    new DataView(number.buffer).setBigUint64(0, at, true)
    return toBase58(sha256(concatBytes(seed, number)))
  }
  const remember = (): void => {
    const current = slot()
    const oldest = current > blockhashSlots ? current - blockhashSlots : 0n
    for (const [hash, at] of known) if (at < oldest) known.delete(hash)
    for (let at = newest + 1n > oldest ? newest + 1n : oldest; at <= current; at += 1n) known.set(blockhashOf(at), at)
    newest = current
  }
  return {
    slot,
    unixSec: () => BigInt(Math.floor(time() / 1_000)),
    blockhashOf,
    isRecent: (blockhash) => {
      remember()
      return known.has(blockhash)
    },
    skip: (ms) => (skipped += ms),
  }
}

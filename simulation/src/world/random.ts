/**
 * Numbers that follow from a seed alone. A fork has a name and a sequence of its own: drawing from one shifts no other.
 */
export type Random = {
  /** In [0, 1). */
  next(): number
  /** In [0, limit). */
  below(limit: number): number
  /** In [low, high). */
  between(low: number, high: number): number
  chance(share: number): boolean
  pick<T>(list: readonly [T, ...T[]]): T
  hex(bytes: number): string
  fork(name: string): Random
}

/** FNV-1a: spreads a seed and a name over 32 bits. What continues a name continues from the hash of its beginning. */
export function mix(start: number, text: string): number {
  let hash = start
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash
}

const basis = 0x811c9dc5 | 0

const pairs: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

function hexOf16(value: number): string {
  return (pairs[value >>> 8] ?? '') + (pairs[value & 0xff] ?? '')
}

/** sfc32: small, fast, and 128 bits of state. */
class Sfc32 implements Random {
  readonly #one: number
  readonly #two: number
  #a: number
  #b: number
  #c: number
  #counter = 1

  constructor(one: number, two: number) {
    this.#one = one
    this.#two = two
    this.#a = one
    this.#b = two
    this.#c = one ^ 0x9e3779b9
    for (let round = 0; round < 12; round += 1) this.#word()
  }

  #word(): number {
    const b = this.#b
    const c = this.#c
    const sum = (this.#a + b + this.#counter) | 0
    this.#counter = (this.#counter + 1) | 0
    this.#a = b ^ (b >>> 9)
    this.#b = (c + (c << 3)) | 0
    this.#c = (((c << 21) | (c >>> 11)) + sum) | 0
    return sum >>> 0
  }

  next(): number {
    return this.#word() / 4_294_967_296
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit)
  }

  between(low: number, high: number): number {
    return low + this.next() * (high - low)
  }

  chance(share: number): boolean {
    return this.next() < share
  }

  pick<T>(list: readonly [T, ...T[]]): T {
    return list[Math.floor(this.next() * list.length)] ?? list[0]
  }

  hex(bytes: number): string {
    let text = ''
    for (let left = bytes; left > 0; left -= 4) {
      const word = this.#word()
      text += hexOf16(word >>> 16) + hexOf16(word & 0xffff)
    }
    return bytes % 4 === 0 ? text : text.slice(0, bytes * 2)
  }

  fork(name: string): Random {
    return new Sfc32(mix(mix(this.#one, '/'), name), mix(mix(this.#two, '/'), name))
  }
}

export function createRandom(seed: number, name = ''): Random {
  return new Sfc32(
    mix(basis ^ seed, name),
    mix(basis ^ Math.floor(seed / 4_294_967_296) ^ Math.imul(seed, 0x9e3779b9), name),
  )
}

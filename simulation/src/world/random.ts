/** Numbers that follow from a seed alone. A fork has a name and a sequence of its own: drawing from one shifts no other. */
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

/** FNV-1a: spreads a seed and a name over 32 bits. */
export function mix(start: number, text: string): number {
  let hash = start ^ 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}

export function createRandom(seed: number, name = ''): Random {
  // sfc32: small, fast, and 128 bits of state.
  let [a, b, c, counter] = [mix(seed | 0, name), mix(Math.floor(seed / 4_294_967_296) ^ 0x9e3779b9, name), seed | 0, 1]
  const word = (): number => {
    const sum = (a + b + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + sum | 0
    return sum >>> 0
  }
  for (let round = 0; round < 12; round += 1) word()
  const next = (): number => word() / 4_294_967_296
  return {
    next,
    below: (limit) => Math.floor(next() * limit),
    between: (low, high) => low + next() * (high - low),
    chance: (share) => next() < share,
    pick: (list) => list[Math.floor(next() * list.length)] ?? list[0],
    hex(bytes) {
      let text = ''
      while (text.length < bytes * 2) text += word().toString(16).padStart(8, '0')
      return text.slice(0, bytes * 2)
    },
    fork: (child) => createRandom(seed, `${name}/${child}`),
  }
}

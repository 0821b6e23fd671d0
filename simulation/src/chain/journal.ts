/** What a block, or a call that is only tried, has written: taking it out and putting it in again are one step. */
export type Layer = { readonly keys: string[]; readonly values: (bigint | undefined)[] }

/** The chain's whole state: words by key, zero where nothing was written; every write can be taken back. */
export type WorldState = {
  get(key: string): bigint
  set(key: string, value: bigint): void
  /** What is written from now on can be taken back to here. */
  mark(): number
  rollback(mark: number): void
  /** Cuts off what was written since the mark. */
  layer(mark: number): Layer
  takeOut(layer: Layer): void
  putBack(layer: Layer): void
  entries(): IterableIterator<[string, bigint]>
}

export function createWorldState(): WorldState {
  const words = new Map<string, bigint>()
  let keys: string[] = []
  let values: (bigint | undefined)[] = []

  const put = (key: string, value: bigint | undefined): void => {
    if (value === undefined) words.delete(key)
    else words.set(key, value)
  }
  const swap = (layer: Layer, at: number): void => {
    const key = layer.keys[at] ?? ''
    const now = words.get(key)
    put(key, layer.values[at])
    layer.values[at] = now
  }
  return {
    get: (key) => words.get(key) ?? 0n,
    set(key, value) {
      keys.push(key)
      values.push(words.get(key))
      words.set(key, value)
    },
    mark: () => keys.length,
    rollback(mark) {
      for (let at = keys.length - 1; at >= mark; at -= 1) put(keys[at] ?? '', values[at])
      keys.length = mark
      values.length = mark
    },
    layer(mark) {
      const layer = { keys: keys.slice(mark), values: values.slice(mark) }
      keys = keys.slice(0, mark)
      values = values.slice(0, mark)
      return layer
    },
    takeOut(layer) {
      for (let at = layer.keys.length - 1; at >= 0; at -= 1) swap(layer, at)
    },
    putBack(layer) {
      for (let at = 0; at < layer.keys.length; at += 1) swap(layer, at)
    },
    entries: () => words.entries(),
  }
}

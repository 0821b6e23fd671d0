/**
 * Texts that a browser keeps for this page. Where it keeps nothing, because its storage is full or forbidden, they live
 * as long as the page, and whoever asks is told so. Nothing here throws: no storage ends a screen.
 */
export type Kept = {
  /** What was kept last, by this page or, where that could, by another one. */
  readonly read: (key: string) => string | null
  /** Whether it outlives the page. */
  readonly keep: (key: string, text: string) => boolean
  readonly forget: (key: string) => void
  readonly keys: () => readonly string[]
  /** What lives as long as the page and no longer. */
  readonly held: () => readonly string[]
  readonly subscribe: (listener: () => void) => () => void
}

export function createKept(storage: () => Storage): Kept {
  const page = new Map<string, string>()
  const listeners = new Set<() => void>()
  let held: readonly string[] = []
  const tell = (): void => {
    if (page.size === held.length && held.every((key) => page.has(key))) return
    held = [...page.keys()]
    for (const listener of listeners) listener()
  }
  const trying = <T>(what: (of: Storage) => T): T | undefined => {
    try {
      return what(storage())
    } catch {
      return undefined
    }
  }
  return {
    read: (key) => page.get(key) ?? trying((of) => of.getItem(key)) ?? null,
    keep(key, text) {
      const isKept = trying((of) => {
        of.setItem(key, text)
        return true
      })
      if (isKept === true) page.delete(key)
      else page.set(key, text)
      tell()
      return isKept === true
    },
    forget(key) {
      page.delete(key)
      trying((of) => {
        of.removeItem(key)
      })
      tell()
    },
    keys: () => [...new Set([...page.keys(), ...(trying((of) => Object.keys(of)) ?? [])])],
    held: () => held,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** Of this device, for every tab. */
export const onDevice = createKept(() => localStorage)
/** Of this tab alone. */
export const inTab = createKept(() => sessionStorage)

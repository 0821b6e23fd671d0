/** How far the events of one wallet are heard and read in this browser: opaque places, and nothing of what they say. */
export type PlaceKind = 'heard' | 'read'

const keyOf = (kind: PlaceKind, wallet: string): string => `ergon.events.${kind}.${wallet}`
/** Storage is refused in some private windows; a place is then kept as long as the page is open. */
const kept = new Map<string, string>()

export function readPlace(kind: PlaceKind, wallet: string): string | undefined {
  const key = keyOf(kind, wallet)
  try {
    return localStorage.getItem(key) ?? kept.get(key)
  } catch {
    return kept.get(key)
  }
}

export function keepPlace(kind: PlaceKind, wallet: string, place: string): void {
  const key = keyOf(kind, wallet)
  kept.set(key, place)
  try {
    localStorage.setItem(key, place)
  } catch {
    // It is kept above.
  }
}

/** Tells when another tab read on. */
export function watchPlace(kind: PlaceKind, wallet: string, listener: () => void): () => void {
  const heard = ({ key }: StorageEvent): void => {
    if (key === keyOf(kind, wallet)) listener()
  }
  window.addEventListener('storage', heard)
  return () => {
    window.removeEventListener('storage', heard)
  }
}

import { onDevice } from './kept.ts'

/** How far the events of one wallet are heard and read in this browser: opaque places, and nothing of what they say. */
export type PlaceKind = 'heard' | 'read'

const keyOf = (kind: PlaceKind, wallet: string): string => `ergon.events.${kind}.${wallet}`

export function readPlace(kind: PlaceKind, wallet: string): string | undefined {
  return onDevice.read(keyOf(kind, wallet)) ?? undefined
}

export function keepPlace(kind: PlaceKind, wallet: string, place: string): void {
  onDevice.keep(keyOf(kind, wallet), place)
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

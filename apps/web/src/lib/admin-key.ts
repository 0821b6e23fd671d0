import { inTab } from './kept.ts'

/** The key of the deployment lives as long as the tab: another visit asks for it again. */
const place = 'ergon-admin-key'
const listeners = new Set<() => void>()
const held = { turn: 0 }

export function readAdminKey(): string | undefined {
  return inTab.read(place) ?? undefined
}

export function keepAdminKey(key: string): void {
  inTab.keep(place, key)
  held.turn += 1
  listeners.forEach((tell) => {
    tell()
  })
}

export function forgetAdminKey(): void {
  inTab.forget(place)
  held.turn += 1
  listeners.forEach((tell) => {
    tell()
  })
}

/** Tells what was asked with one key from what is asked with the next, also when the same one is typed again. */
export function adminKeyTurn(): number {
  return held.turn
}

export function watchAdminKey(tell: () => void): () => void {
  listeners.add(tell)
  return () => {
    listeners.delete(tell)
  }
}

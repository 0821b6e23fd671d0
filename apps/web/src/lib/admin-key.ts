/** The key of the deployment lives as long as the tab: another visit asks for it again. */
const place = 'ergon-admin-key'
const listeners = new Set<() => void>()

export function readAdminKey(): string | undefined {
  return sessionStorage.getItem(place) ?? undefined
}

export function keepAdminKey(key: string): void {
  sessionStorage.setItem(place, key)
  listeners.forEach((tell) => { tell() })
}

export function forgetAdminKey(): void {
  sessionStorage.removeItem(place)
  listeners.forEach((tell) => { tell() })
}

export function watchAdminKey(tell: () => void): () => void {
  listeners.add(tell)
  return () => { listeners.delete(tell) }
}

import { onDevice } from './kept.ts'

const prefix = 'ergon.draft.'
// The address alone, of whoever was signed in last while these drafts were typed.
const ownerKey = 'ergon.drafts.of'

/** Where a draft is kept. */
export const draftKey = (name: string): string => `${prefix}${name}`

/** Whether a draft is kept under a key. */
export const isDraft = (key: string): boolean => key.startsWith(prefix)

const dropped = new EventTarget()

/** Hears that every draft is gone, so that no open form writes its own again. */
export function hearDropped(then: () => void): () => void {
  dropped.addEventListener('dropped', then)
  return () => {
    dropped.removeEventListener('dropped', then)
  }
}

/** Empties every open form; what is kept by now may be another person's. */
export function forgetTyped(): void {
  dropped.dispatchEvent(new Event('dropped'))
}

/** Whoever signs out leaves nothing that was typed to whoever holds this device next. */
export function dropDrafts(): void {
  for (const key of onDevice.keys()) if (isDraft(key)) onDevice.forget(key)
  onDevice.forget(ownerKey)
  forgetTyped()
}

/**
 * The drafts of this device belong to `wallet` from now on: what a visitor typed becomes theirs, what was typed under
 * another wallet is dropped.
 */
export function ownDrafts(wallet: string): void {
  const owner = onDevice.read(ownerKey)
  if (owner === wallet) return
  if (owner !== null) dropDrafts()
  onDevice.keep(ownerKey, wallet)
}

import { useSyncExternalStore } from 'react'
import type { TownIndex } from './town.ts'

export type KnownTowns =
  { readonly state: 'none' | 'loading' | 'failed' } | { readonly state: 'here'; readonly index: TownIndex }

const known: { towns: KnownTowns } = { towns: { state: 'none' } }
const listeners = new Set<() => void>()

/** Loads the towns once, when the reader begins to look for one; after a failure the next letter tries again. */
export async function needTowns(): Promise<void> {
  if (known.towns.state === 'loading' || known.towns.state === 'here') return
  tell({ state: 'loading' })
  try {
    const { fetchTowns } = await import('./towns-file.ts')
    tell({ state: 'here', index: await fetchTowns() })
  } catch {
    tell({ state: 'failed' })
  }
}

function tell(towns: KnownTowns): void {
  known.towns = towns
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/** The towns as far as they are loaded; asks for nothing. */
export function useKnownTowns(): KnownTowns {
  return useSyncExternalStore(subscribe, () => known.towns)
}

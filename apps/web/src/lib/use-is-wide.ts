import { useSyncExternalStore } from 'react'

/** Where a screen has a second column (`lg:` of the styles). */
const wide = '(min-width: 64rem)'

function subscribe(listener: () => void): () => void {
  const query = matchMedia(wide)
  query.addEventListener('change', listener)
  return () => {
    query.removeEventListener('change', listener)
  }
}

export function useIsWide(): boolean {
  return useSyncExternalStore(subscribe, () => matchMedia(wide).matches)
}

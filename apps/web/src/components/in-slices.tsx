import { useDeferredValue, type ReactNode } from 'react'

/**
 * Holds what a screen is mostly made of: its heading is there at once, and this is drawn in slices, so that the
 * page answers a touch in between.
 */
export function InSlices({ children }: { readonly children: ReactNode }): ReactNode {
  const isDrawn = useDeferredValue(true, false)
  return isDrawn ? children : null
}

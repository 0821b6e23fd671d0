import { useDeferredValue, type ReactNode } from 'react'

/**
 * Holds what a screen is mostly made of: its heading stands at once, and this is drawn in slices that let whoever
 * touches the page in between.
 */
export function InSlices({ children }: { readonly children: ReactNode }): ReactNode {
  const isDrawn = useDeferredValue(true, false)
  return isDrawn ? children : null
}

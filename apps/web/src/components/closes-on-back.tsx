import type { ReactNode } from 'react'
import { useBlocker } from '@tanstack/react-router'

/** Inside a dialog that no address says: going back closes it, and the page stays. */
export function ClosesOnBack({ onClose }: { readonly onClose: () => void }): ReactNode {
  useBlocker({
    enableBeforeUnload: false,
    shouldBlockFn: ({ action }) => {
      if (action !== 'BACK') return false
      onClose()
      return true
    },
  })
  return null
}

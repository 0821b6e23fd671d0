import { Suspense, useState, type ReactNode } from 'react'

/**
 * Holds what is loaded when it is first needed, and keeps it from then on: a dialog gives the focus back as it closes.
 */
export function WhenNeeded({
  needed,
  children,
}: {
  readonly needed: boolean
  readonly children: ReactNode
}): ReactNode {
  const [wasNeeded, setWasNeeded] = useState(needed)
  if (needed && !wasNeeded) setWasNeeded(true)
  return wasNeeded || needed ? <Suspense fallback={null}>{children}</Suspense> : null
}

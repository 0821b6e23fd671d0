import type { ReactNode } from 'react'
import { Page } from './page.tsx'

/** Holds the place of a screen that is being written. */
export function Unfinished(): ReactNode {
  return <Page title="…" />
}

import { inTab } from '../../lib/kept.ts'

const key = 'ergon.row-heights'

export type RowHeights = Readonly<Record<string, number>>

/** How high each row was when it was drawn last, for this tab: whoever comes back to a list finds each where it was. */
export function readRowHeights(): RowHeights {
  try {
    // This browser wrote it; a height that is wrong is measured again when its row is drawn.
    return JSON.parse(inTab.read(key) ?? '{}') as RowHeights
  } catch {
    return {}
  }
}

export function keepRowHeights(heights: RowHeights): void {
  inTab.keep(key, JSON.stringify(heights))
}

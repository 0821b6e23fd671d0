const key = 'ergon.row-heights'

export type RowHeights = Readonly<Record<string, number>>

/** How high each row was when it was drawn last, for this tab: whoever comes back to a list finds each where it was. */
export function readRowHeights(): RowHeights {
  try {
    // This browser wrote it; a height that is wrong is measured again when its row is drawn.
    return JSON.parse(sessionStorage.getItem(key) ?? '{}') as RowHeights
  } catch {
    return {}
  }
}

export function keepRowHeights(heights: RowHeights): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(heights))
  } catch {
    // Without storage the way back is a little off.
  }
}

type Entry = { readonly type: string; readonly kind: string }

/** What is looked at comes first, then what is read, then the figures of a position. */
export function inOrderOfLooking<E extends Entry>(evidence: readonly E[]): readonly E[] {
  return evidence.toSorted((one, other) => rankOf(one) - rankOf(other))
}

function rankOf({ type, kind }: Entry): number {
  if (kind === 'file') return 0
  return type === 'gps' ? 2 : 1
}

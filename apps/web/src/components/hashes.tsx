import type { ReactNode } from 'react'

/** What proves each piece of evidence that was taken down, in the words of the service. */
export function Hashes({
  taken,
}: {
  readonly taken: { readonly hashes: Readonly<Record<string, string>> }
}): ReactNode {
  return (
    <ul className="grid gap-1 text-sm">
      {Object.entries(taken.hashes).map(([piece, hash]) => (
        <li key={piece} className="wrap-anywhere">
          {piece}: <span className="font-mono">{hash}</span>
        </li>
      ))}
    </ul>
  )
}

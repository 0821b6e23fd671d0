import { useMemo, type ReactNode } from 'react'
import encodeQR from 'qr'

/** A text as a picture that a camera reads: dark on white in either theme, as cameras want it. */
export function CodePicture({ text, label }: { readonly text: string; readonly label: string }): ReactNode {
  const rows = useMemo(() => encodeQR(text, 'raw', { ecc: 'medium', border: 2 }), [text])
  const dark = rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${rows.length} ${rows.length}`}
      className="size-56 max-w-full rounded-control bg-white text-black"
      shapeRendering="crispEdges"
    >
      <path d={dark.join('')} fill="currentColor" />
    </svg>
  )
}

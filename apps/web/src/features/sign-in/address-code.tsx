import { useMemo, type ReactNode } from 'react'
import encodeQR from 'qr'
import { useMessages } from '../../lib/i18n.tsx'
import { passkeyMessages } from './passkey-messages.ts'

/** An address as a picture that a camera reads: dark on white in either theme, as cameras want it. */
export function AddressCode({ address }: { readonly address: string }): ReactNode {
  const say = useMessages(passkeyMessages)
  const rows = useMemo(() => encodeQR(address, 'raw', { ecc: 'medium', border: 2 }), [address])
  const dark = rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return (
    <div className="grid justify-items-start gap-2">
      <svg
        role="img"
        aria-label={say('code')}
        viewBox={`0 0 ${rows.length} ${rows.length}`}
        className="size-56 max-w-full rounded-lg bg-white text-black"
        shapeRendering="crispEdges"
      >
        <path d={dark.join('')} fill="currentColor" />
      </svg>
      <p className="text-sm text-quiet">{say('codeLead')}</p>
      <p className="text-sm break-all">{address}</p>
    </div>
  )
}

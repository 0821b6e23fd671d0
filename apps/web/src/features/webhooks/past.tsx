import type { ReactNode } from 'react'
import { useNow } from '../../components/time.tsx'
import { useFormat } from '../../lib/format.ts'

/** How long ago something was; what happened since this page last looked at its clock is now, and never still to come. */
export function Past({ at }: { readonly at: string }): ReactNode {
  const format = useFormat()
  return <time dateTime={at} title={format.dateTime(at)}>{format.relative(at, Math.max(useNow(), Date.parse(at)))}</time>
}

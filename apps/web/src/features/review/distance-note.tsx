import type { ReactNode } from 'react'
import { ErgonError } from '@ergon/sdk'
import { Failure } from '../../components/failure.tsx'
import { Note } from '../../components/surface.tsx'
import { useFormat } from '../../lib/format.ts'
import { useMessages } from '../../lib/i18n.tsx'
import { useRead } from '../../lib/market.tsx'
import { metresBetween, readFix } from './fix.ts'
import { reviewMessages } from './messages.ts'

/** How far from the place of the task each position was taken; nothing where the task has no place or nobody said one. */
export function DistanceNote({ taskId, evidence }: { readonly taskId: string; readonly evidence: Readonly<Record<string, unknown>> }): ReactNode {
  const say = useMessages(reviewMessages)
  const format = useFormat()
  const fixes = Object.values(evidence).map(readFix).filter((fix) => fix !== undefined)
  const { data: place, error } = useRead('tasks.location', { task_id: taskId }, { enabled: fixes.length > 0, staleTime: 600_000 })
  if (error instanceof ErgonError && error.code === 'LOCATION_NOT_FOUND') return null
  if (error !== null) return <Failure error={error} />
  // Around an area no distance can be said: only whoever may know the point measures from it.
  if (place?.precision !== 'exact') return null
  return fixes.map((fix) => <Note key={`${fix.lat},${fix.lng}`} title={say('distance', { distance: format.distance(metresBetween(place, fix)) })}><p>{fix.accuracyM === undefined ? say('accuracyUnknown') : `${say('accuracy')} ${format.distance(fix.accuracyM)}`}</p></Note>)
}

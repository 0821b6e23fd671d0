import { useMemo, type ReactNode } from 'react'
import { ErgonError, type Output } from '@ergon/sdk'
import { Failure } from '../../components/failure.tsx'
import { AreaMap } from '../../components/map/area-map.tsx'
import type { MapCircle } from '../../components/map/map-view.ts'
import { Note } from '../../components/surface.tsx'
import { useFormat } from '../../lib/format.ts'
import { useMessages } from '../../lib/i18n.tsx'
import { useRead } from '../../lib/market.tsx'
import { metresBetween, readFix, type Fix } from './fix.ts'
import { reviewMessages } from './messages.ts'

type Evidence = Readonly<Record<string, unknown>>
const fixesOf = (evidence: Evidence): readonly Fix[] =>
  Object.values(evidence)
    .map(readFix)
    .filter((fix) => fix !== undefined)

/**
 * How far from the place of the task each position was taken; nothing where the task has no place or nobody said one.
 */
export function DistanceNote({
  taskId,
  evidence,
}: {
  readonly taskId: string
  readonly evidence: Evidence
}): ReactNode {
  const { data: place, error } = useRead(
    'tasks.location',
    { task_id: taskId },
    { enabled: fixesOf(evidence).length > 0, staleTime: 600_000 },
  )
  if (error instanceof ErgonError && error.code === 'LOCATION_NOT_FOUND') return null
  if (error !== null) return <Failure error={error} />
  // Around an area no distance can be said: only whoever may know the point measures from it.
  return place?.precision === 'exact' ? <Distances place={place} evidence={evidence} /> : null
}

function Distances({
  place,
  evidence,
}: {
  readonly place: Output<'tasks.location'>
  readonly evidence: Evidence
}): ReactNode {
  const say = useMessages(reviewMessages)
  const format = useFormat()
  const circles = useMemo(() => circlesOf(place, fixesOf(evidence)), [place, evidence])
  return (
    <section aria-label={say('map')} className="grid gap-3">
      {fixesOf(evidence).map((fix) => (
        <Note
          key={`${String(fix.lat)},${String(fix.lng)}`}
          title={say('distance', { distance: format.distance(metresBetween(place, fix)) })}
        >
          <p>
            {fix.accuracyM === undefined
              ? say('accuracyUnknown')
              : `${say('accuracy')} ${format.distance(fix.accuracyM)}`}
          </p>
        </Note>
      ))}
      <AreaMap label={say('map')} circles={circles} nearestZoom={15} />
    </section>
  )
}

/** The place as wide as what counts as being there, each position as wide as it may be wrong. */
function circlesOf(
  { lat, lng, radius_m: radiusM }: Output<'tasks.location'>,
  fixes: readonly Fix[],
): readonly MapCircle[] {
  return [
    { id: 'place', lat, lng, radiusM, tone: 'brand' },
    ...fixes.map((fix, at): MapCircle => ({
      id: String(at),
      lat: fix.lat,
      lng: fix.lng,
      radiusM: fix.accuracyM ?? 0,
      tone: 'warn',
    })),
  ]
}

import { useMemo, type ReactNode } from 'react'
import { AreaMap } from '../../components/map/area-map.tsx'
import type { MapCircle } from '../../components/map/map-view.ts'
import type { Point } from '../../lib/geo.ts'
import { useMessages } from '../../lib/i18n.tsx'
import { publishMessages } from './messages.ts'

type MapProps = {
  readonly pin: Point | undefined
  readonly radiusM: number
  readonly goTo: Point | undefined
  readonly onPick: (point: Point) => void
}

/** A town and what is around it. */
const surroundingsM = 30_000

/** Where the task has to be done, as a pin that can be put elsewhere. */
export function PlaceMap({ pin, radiusM, goTo, onPick }: MapProps): ReactNode {
  const say = useMessages(publishMessages)
  const [lat, lng] = [pin?.lat, pin?.lng]
  const circles = useMemo(
    (): readonly MapCircle[] =>
      lat === undefined || lng === undefined ? [] : [{ id: 'place', lat, lng, radiusM, tone: 'brand' }],
    [lat, lng, radiusM],
  )
  const at = useMemo(() => (lat === undefined || lng === undefined ? undefined : { lat, lng }), [lat, lng])
  const view = useMemo(() => (goTo === undefined ? undefined : { ...goTo, radiusM: surroundingsM }), [goTo])
  return <AreaMap label={say('placeOnMap')} circles={circles} pin={at} goTo={view} onPick={onPick} />
}

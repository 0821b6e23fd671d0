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
  /** As much around it as is to be seen. */
  readonly aroundM: number
  readonly onPick: (point: Point) => void
}

/** Where the task has to be done, as a pin that can be put elsewhere. */
export function PlaceMap({ pin, radiusM, goTo, aroundM, onPick }: MapProps): ReactNode {
  const say = useMessages(publishMessages)
  const [lat, lng] = [pin?.lat, pin?.lng]
  const circles = useMemo(
    (): readonly MapCircle[] =>
      lat === undefined || lng === undefined ? [] : [{ id: 'place', lat, lng, radiusM, tone: 'brand' }],
    [lat, lng, radiusM],
  )
  const at = useMemo(() => (lat === undefined || lng === undefined ? undefined : { lat, lng }), [lat, lng])
  const view = useMemo(() => (goTo === undefined ? undefined : { ...goTo, radiusM: aroundM }), [goTo, aroundM])
  return <AreaMap label={say('placeOnMap')} circles={circles} pin={at} goTo={view} onPick={onPick} />
}

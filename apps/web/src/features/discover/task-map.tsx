import { useCallback, useMemo, type ReactNode } from 'react'
import { useNavigate } from '@tanstack/react-router'
import { AreaMap } from '../../components/map/area-map.tsx'
import type { MapCircle, MapMarker } from '../../components/map/map-view.ts'
import type { Box } from '../../lib/geo.ts'
import { useFormat } from '../../lib/format.ts'
import { useMessages } from '../../lib/i18n.tsx'
import { useSplit } from '../../lib/use-split.ts'
import type { Filters, Found } from '../../lib/filters.ts'
import { discoverMessages } from './messages.ts'

type TaskMapProps = {
  readonly found: readonly Found[]
  readonly filters: Filters
  /** The task that is meant in the list beside the map. */
  readonly marked: string | undefined
  readonly onMark: (taskId: string | undefined) => void
  readonly onSearchBox: (box: Box) => void
}

/** The tasks that have a place, as buttons on the map; what they pay is written on them. */
export function TaskMap({
  found,
  filters: { near, withinKm, box },
  marked,
  onMark,
  onSearchBox,
}: TaskMapProps): ReactNode {
  const say = useMessages(discoverMessages)
  const format = useFormat()
  const split = useSplit()
  const navigate = useNavigate()
  const markers = useMemo(
    () =>
      found.flatMap(({ task: { id, title, area, bounty_usd }, metres }): MapMarker[] => {
        if (area === null || split === undefined) return []
        const amount = format.usd(split(bounty_usd).payoutUsd)
        const name =
          metres === undefined
            ? say('marker', { title, amount })
            : say('markerAway', { title, amount, distance: format.distance(metres) })
        return [{ id, lat: area.lat, lng: area.lng, text: amount, name }]
      }),
    [found, split, format, say],
  )
  const circles = useMemo(
    (): readonly MapCircle[] =>
      near === undefined ? [] : [{ id: 'near', ...near, radiusM: (withinKm ?? 0.1) * 1_000, tone: 'warn' }],
    [near, withinKm],
  )
  const choose = useCallback(
    (taskId: string) => {
      void navigate({ to: '/tasks/$taskId', params: { taskId } })
    },
    [navigate],
  )
  return (
    <AreaMap
      label={say('tasks')}
      markers={markers}
      circles={circles}
      onChoose={choose}
      box={box}
      marked={marked}
      onMark={onMark}
      onSearchBox={onSearchBox}
      nearestZoom={9}
      className="h-[min(60dvh,26rem)] xl:h-[min(70dvh,36rem)]"
    />
  )
}

import { lazy, Suspense, useEffect, useState, type ReactNode } from 'react'
import type { Point } from '../../lib/geo.ts'
import { useMessages, useSpeech } from '../../lib/i18n.tsx'
import { Button } from '../button.tsx'
import { loadMapInfo } from './map-info.ts'
import { MapSources } from './map-sources.tsx'
import { mapMessages } from './messages.ts'
import type { PreviewShapes } from './preview-shapes.ts'

// The map library weighs more than the rest of a page; it comes when the map is asked for.
const AreaMap = lazy(async () => ({ default: (await import('./area-map.tsx')).AreaMap }))

type PreviewProps = { readonly label: string; readonly id: string; readonly at: Point; readonly radiusM: number }
const size = { width: 640, height: 224 } as const
const [middleX, middleY] = [size.width / 2, size.height / 2]

/** Where an area is, as a small picture of its surroundings, until it is opened. */
export function AreaPreview({ label, id, at, radiusM }: PreviewProps): ReactNode {
  const say = useMessages(mapMessages)
  const [isOpen, setIsOpen] = useState(false)
  const [circles, setCircles] = useState(() => [{ id, ...at, radiusM, tone: 'brand' as const }])
  const [shown] = circles
  if (shown?.lat !== at.lat || shown.lng !== at.lng || shown.radiusM !== radiusM)
    setCircles([{ id, ...at, radiusM, tone: 'brand' }])
  if (isOpen)
    return (
      <Suspense fallback={<div className="h-56" />}>
        <AreaMap label={label} circles={circles} className="h-72" />
      </Suspense>
    )
  return (
    <div className="grid gap-2">
      <div className="relative h-56 overflow-hidden">
        <Picture lat={at.lat} lng={at.lng} radiusM={radiusM} label={say('title', { label })} />
        <Button
          className="absolute right-3 bottom-3 shadow-float"
          onClick={() => {
            setIsOpen(true)
          }}
        >
          {say('open')}
        </Button>
      </div>
      <MapSources hasStreets={false} />
    </div>
  )
}

type PictureProps = Point & { readonly radiusM: number; readonly label: string }

function Picture({ lat, lng, radiusM, label }: PictureProps): ReactNode {
  const shapes = usePreview(lat, lng)
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${String(size.width)} ${String(size.height)}`}
      preserveAspectRatio="xMidYMid slice"
      className="map-preview"
    >
      <path className="map-preview-land" d={shapes?.land ?? ''} />
      <path className="map-preview-borders" d={shapes?.borders ?? ''} />
      <path className="map-preview-coast" d={shapes?.coast ?? ''} />
      {shapes?.towns.map(({ x, y, radius }) => (
        <circle key={`${String(x)} ${String(y)}`} className="map-preview-ground" cx={x} cy={y} r={radius} />
      ))}
      {shapes?.names.map(({ x, y, text, dotY, isFar }) => (
        <g key={text} className={isFar ? 'max-wide:hidden' : undefined}>
          {dotY !== undefined && <circle className="map-preview-dot" cx={x} cy={dotY} r="3" />}
          <text x={x} y={y} className="map-preview-name">
            {text}
          </text>
        </g>
      ))}
      <circle
        className="map-preview-area"
        cx={middleX}
        cy={middleY}
        r={Math.max(12, radiusM * (shapes?.pxPerMetre ?? 0))}
      />
      <circle className="map-preview-middle" cx={middleX} cy={middleY} r="4" />
    </svg>
  )
}

/** Undefined while it is on its way, and where it cannot be had: the words beside it say the same. */
function usePreview(lat: number, lng: number): PreviewShapes | undefined {
  const { language } = useSpeech()
  const [shapes, setShapes] = useState<PreviewShapes>()
  useEffect(() => {
    let isOver = false
    const draw = async (): Promise<void> => {
      const [{ world }, { previewShapes }] = await Promise.all([loadMapInfo(), import('./preview-shapes.ts')])
      const next = world === null ? undefined : await previewShapes({ lat, lng }, world, language)
      if (!isOver) setShapes(next)
    }
    draw().catch(() => undefined)
    return () => {
      isOver = true
    }
  }, [lat, lng, language])
  return shapes
}

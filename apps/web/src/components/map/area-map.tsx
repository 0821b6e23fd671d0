import { useEffect, useRef, useState, type ReactNode, type RefObject } from 'react'
import type { Point } from '../../lib/geo.ts'
import { useMessages } from '../../lib/i18n.tsx'
import { Button } from '../button.tsx'
import { Note } from '../surface.tsx'
import {
  createMapView,
  type Surroundings,
  type MapCircle,
  type MapHandlers,
  type MapMarker,
  type MapTexts,
  type MapView,
} from './map-view.ts'
import { mapMessages } from './messages.ts'

type AreaMapProps = {
  /** What the map shows, for those who do not see it. */
  readonly label: string
  /** Areas, radii, accuracies of positions. */
  readonly circles?: readonly MapCircle[]
  readonly markers?: readonly MapMarker[]
  readonly onChoose?: (id: string) => void
  /** Makes the map a way of choosing a place: by click, or its middle by keyboard. */
  readonly onPick?: (point: Point) => void
  /** Surroundings to go to, each time that they are others. */
  readonly goTo?: Surroundings | undefined
  /**
   * How near the map goes by itself: as far as the names of towns say where it is; positions are compared from near.
   */
  readonly nearestZoom?: number
  readonly className?: string
}
type Failed = 'noWebgl' | 'failed'

const noCircles: readonly MapCircle[] = []
const noMarkers: readonly MapMarker[] = []

/**
 * A map of bundled outlines. It is never the only way to know or choose something: whoever shows it says the same in
 * words.
 */
export function AreaMap({
  label,
  circles = noCircles,
  markers = noMarkers,
  onChoose,
  onPick,
  goTo,
  nearestZoom = 8,
  className = 'h-72',
}: AreaMapProps): ReactNode {
  const say = useMessages(mapMessages)
  const container = useRef<HTMLDivElement>(null)
  const handlers = useRef<MapHandlers>({ onChoose: () => undefined, onPick: undefined })
  useEffect(() => {
    handlers.current = { onChoose: onChoose ?? (() => undefined), onPick }
  })
  const [view, failed] = useMapView(container, label, handlers)
  const isPicking = onPick !== undefined
  useEffect(() => {
    view?.show({ circles, markers })
    // Whoever picks a place must not be carried off by the pin.
    if (!isPicking) view?.fit(nearestZoom)
  }, [view, circles, markers, isPicking, nearestZoom])
  useEffect(() => {
    if (goTo !== undefined) view?.goTo(goTo)
  }, [view, goTo])
  if (failed !== undefined)
    return (
      <Note tone="warn" title={say(failed)}>
        <p>{say(failed === 'noWebgl' ? 'noWebglHelp' : 'failedHelp')}</p>
      </Note>
    )
  return (
    <div className="grid gap-2">
      <div ref={container} className={`isolate overflow-hidden rounded-2xl border border-line bg-sunken ${className}`}>
        {view === undefined && (
          <p role="status" className="p-4 text-quiet">
            {say('loading')}
          </p>
        )}
      </div>
      {onPick !== undefined && (
        <div className="flex flex-wrap items-center gap-3">
          <Button
            onClick={() => {
              if (view !== undefined) onPick(view.middle())
            }}
          >
            {say('pickMiddle')}
          </Button>
          <p className="text-sm text-quiet">{say('pickHelp')}</p>
        </div>
      )}
      <p className="text-sm text-quiet">{say('keys')}</p>
    </div>
  )
}

/** Opens the map when the element is there; the library is loaded only then. */
function useMapView(
  container: RefObject<HTMLDivElement | null>,
  label: string,
  handlers: RefObject<MapHandlers>,
): readonly [view: MapView | undefined, failed: Failed | undefined] {
  const say = useMessages(mapMessages)
  const [view, setView] = useState<MapView>()
  const [failed, setFailed] = useState<Failed>()
  useEffect(() => {
    const element = container.current
    if (element === null) return
    const texts: MapTexts = {
      title: say('title', { label }),
      zoomIn: say('zoomIn'),
      zoomOut: say('zoomOut'),
      wheel: say('wheel'),
      wheelMac: say('wheelMac'),
      touch: say('touch'),
      many: (count) => say('many', { count }),
    }
    let opened: MapView | undefined
    let isOver = false
    const open = async (): Promise<void> => {
      if (!hasWebgl()) return setFailed('noWebgl')
      const [library, { loadOutlines }] = await Promise.all([import('./maplibre.ts'), import('./outlines.ts')])
      const outlines = await loadOutlines()
      if (isOver) return
      opened = createMapView(library, element, outlines, texts, () => handlers.current)
      setView(opened)
      // Names come last; a map without them is a map as well.
      if (!savesData())
        opened.name(await import('../towns/towns-file.ts').then(({ loadTowns }) => loadTowns()).catch(() => []))
    }
    open().catch(() => {
      if (!isOver) setFailed('failed')
    })
    return () => {
      isOver = true
      opened?.[Symbol.dispose]()
      setView(undefined)
    }
  }, [container, label, handlers, say])
  return [view, failed]
}

function hasWebgl(): boolean {
  return document.createElement('canvas').getContext('webgl2') !== null
}

/** Whether this person asked their browser to load little. */
function savesData(): boolean {
  return (
    'connection' in navigator &&
    typeof navigator.connection === 'object' &&
    navigator.connection !== null &&
    Reflect.get(navigator.connection, 'saveData') === true
  )
}

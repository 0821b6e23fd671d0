import { useEffect, useRef, useState, type ReactNode, type RefObject } from 'react'
import type { Box, Point } from '../../lib/geo.ts'
import { useMessages, useSpeech } from '../../lib/i18n.tsx'
import { Button } from '../button.tsx'
import { Note } from '../surface.tsx'
import { MapSources } from './map-sources.tsx'
import { loadMapInfo } from './map-info.ts'
import type { Surroundings, MapCircle, MapHandlers, MapMarker, MapTexts, MapView } from './map-view.ts'
import { mapMessages } from './messages.ts'

type AreaMapProps = {
  /** What the map shows, for those who do not see it. */
  readonly label: string
  /** Areas, radii, accuracies of positions. */
  readonly circles?: readonly MapCircle[]
  readonly markers?: readonly MapMarker[]
  readonly onChoose?: (id: string) => void
  /** The marker that is meant elsewhere on the page, and how the page learns which one is meant here. */
  readonly marked?: string | undefined
  readonly onMark?: (id: string | undefined) => void
  /** Offers to search what the reader moved into view. */
  readonly onSearchBox?: (box: Box) => void
  /** What is in view at first, and each time that it is another. */
  readonly box?: Box | undefined
  /** Where the pin of a place that is being chosen is; it can be dragged. */
  readonly pin?: Point | undefined
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
const nothing = (): void => undefined

/**
 * A map of the world, and of streets where the operator has them. It is never the only way to know or choose something:
 * whoever shows it says the same in words.
 */
export function AreaMap({
  label,
  circles = noCircles,
  markers = noMarkers,
  onChoose = nothing,
  marked,
  onMark = nothing,
  onSearchBox,
  box,
  pin,
  onPick,
  goTo,
  nearestZoom = 8,
  className = 'h-72',
}: AreaMapProps): ReactNode {
  const say = useMessages(mapMessages)
  const container = useRef<HTMLDivElement>(null)
  const [moved, setMoved] = useState<Box>()
  const [hasStreets, setHasStreets] = useState(false)
  const handlers = useRef<MapHandlers>(unheard)
  useEffect(() => {
    handlers.current = { onChoose, onPick, onMark, onMoved: setMoved, onStreets: setHasStreets }
  }, [onChoose, onPick, onMark])
  const [view, failed] = useMapView(container, label, handlers)
  useShown(view, { circles, markers, pin, nearestZoom, box, goTo, marked, isPicking: onPick !== undefined })
  if (failed !== undefined)
    return (
      <Note tone="warn" title={say(failed)}>
        <p>{say(failed === 'noWebgl' ? 'noWebglHelp' : 'failedHelp')}</p>
      </Note>
    )
  return (
    <div className="grid gap-2">
      <div className="relative">
        <div
          ref={container}
          className={`isolate overflow-hidden rounded-2xl border border-line bg-sunken ${className}`}
        >
          {view === undefined && (
            <p role="status" className="p-4 text-quiet">
              {say('loading')}
            </p>
          )}
        </div>
        {onSearchBox !== undefined && moved !== undefined && (
          <Button
            className="absolute inset-x-0 top-3 mx-auto w-fit shadow-float"
            onClick={() => {
              setMoved(undefined)
              onSearchBox(moved)
            }}
          >
            {say('searchHere')}
          </Button>
        )}
      </div>
      {onPick !== undefined && (
        <PickMiddle
          onPick={() => {
            if (view !== undefined) onPick(view.middle())
          }}
        />
      )}
      <MapSources hasStreets={hasStreets} />
    </div>
  )
}

function PickMiddle({ onPick }: { readonly onPick: () => void }): ReactNode {
  const say = useMessages(mapMessages)
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button onClick={onPick}>{say('pickMiddle')}</Button>
      <p className="text-sm text-quiet">{say('pickHelp')}</p>
    </div>
  )
}

type Shown = Pick<AreaMapProps, 'box' | 'goTo' | 'marked' | 'pin'> &
  Required<Pick<AreaMapProps, 'circles' | 'markers' | 'nearestZoom'>> & { readonly isPicking: boolean }

/** Keeps what is on the map, and what of it is in view, as it is given. */
function useShown(
  view: MapView | undefined,
  { circles, markers, pin, nearestZoom, box, goTo, marked, isPicking }: Shown,
): void {
  const stays = isPicking || box !== undefined
  useEffect(() => {
    view?.show({ circles, markers, pin })
    // Whoever picks a place must not be carried off by the pin, nor whoever chose what to look at.
    if (!stays) view?.fit(nearestZoom)
  }, [view, circles, markers, pin, stays, nearestZoom])
  useEffect(() => {
    if (goTo !== undefined) view?.goTo(goTo)
  }, [view, goTo])
  useEffect(() => {
    if (box !== undefined) view?.goToBox(box)
  }, [view, box])
  useEffect(() => {
    view?.mark(marked)
  }, [view, marked])
}

const unheard: MapHandlers = {
  onChoose: nothing,
  onPick: undefined,
  onMark: nothing,
  onMoved: nothing,
  onStreets: nothing,
}

/** Opens the map when the element is there; the library is loaded only then. */
function useMapView(
  container: RefObject<HTMLDivElement | null>,
  label: string,
  handlers: RefObject<MapHandlers>,
): readonly [view: MapView | undefined, failed: Failed | undefined] {
  const say = useMessages(mapMessages)
  const { language } = useSpeech()
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
      pin: say('pin'),
      many: (count) => say('many', { count }),
    }
    let opened: MapView | undefined
    let isOver = false
    const open = async (): Promise<void> => {
      if (!hasWebgl()) return setFailed('noWebgl')
      const [library, { createMapView }, info] = await Promise.all([
        import('./maplibre.ts'),
        import('./map-view.ts'),
        loadMapInfo(),
      ])
      if (isOver) return
      opened = createMapView(element, { library, info, language, texts, handlers: () => handlers.current })
      setView(opened)
    }
    open().catch(() => {
      if (!isOver) setFailed('failed')
    })
    return () => {
      isOver = true
      opened?.[Symbol.dispose]()
      setView(undefined)
    }
  }, [container, label, handlers, say, language])
  return [view, failed]
}

function hasWebgl(): boolean {
  return document.createElement('canvas').getContext('webgl2') !== null
}

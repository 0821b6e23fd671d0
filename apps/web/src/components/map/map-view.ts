import type { Box, Point } from '../../lib/geo.ts'
import { ringAround } from '../../lib/geo.ts'
import type { Language } from '../../lib/language.ts'
import { createMapButtons, createPin } from './map-buttons.ts'
import { readMapColors, watchTheme, type MapTone } from './map-colors.ts'
import type { MapInfo, TileFacts } from './map-info.ts'
import { circlesAsFeatures, mapStyle, middlesAsFeatures } from './map-style.ts'
import { streetsFromZoom } from './street-style.ts'
import type * as maplibre from './maplibre.ts'
import type { GeoJSONSource, MapLibreMap } from './maplibre.ts'

/** A circle on the ground: an area, a radius, the accuracy of a position. */
export type MapCircle = Point & { readonly id: string; readonly radiusM: number; readonly tone: MapTone }
/** A place with as much around it as is to be seen. */
export type Surroundings = Point & { readonly radiusM: number }
/** A place with a name that can be chosen; `text` is what is seen on it. */
export type MapMarker = Point & { readonly id: string; readonly name: string; readonly text: string }

export type MapTexts = {
  readonly title: string
  readonly zoomIn: string
  readonly zoomOut: string
  readonly wheel: string
  readonly wheelMac: string
  readonly touch: string
  readonly pin: string
  readonly many: (count: number) => string
}
export type MapShown = {
  readonly circles: readonly MapCircle[]
  readonly markers: readonly MapMarker[]
  /** A pin that can be dragged, where the map is a way of choosing a place. */
  readonly pin: Point | undefined
}

/** A map in an element, until it is disposed of. */
export type MapView = Disposable & {
  readonly show: (shown: MapShown) => void
  /** Moves so that everything shown can be seen, but no nearer than this; nearer where there are streets to see. */
  readonly fit: (nearestZoom: number) => void
  readonly goTo: (surroundings: Surroundings) => void
  readonly goToBox: (box: Box) => void
  /** Shows which of the markers is meant elsewhere on the page. */
  readonly mark: (id: string | undefined) => void
  readonly middle: () => Point
}

export type MapHandlers = {
  readonly onChoose: (id: string) => void
  readonly onPick: ((point: Point) => void) | undefined
  /** The pointer or the focus is on a marker, or on none. */
  readonly onMark: (id: string | undefined) => void
  /** The reader moved the map; what moves by itself is not told. */
  readonly onMoved: (box: Box) => void
  readonly onStreets: (areSeen: boolean) => void
}
export type MapDeps = {
  readonly library: Library
  readonly info: MapInfo
  readonly language: Language
  readonly texts: MapTexts
  readonly handlers: () => MapHandlers
}
type Library = typeof maplibre

/** As near as it goes to a place without streets: what is left there are the names of towns. */
const blindZoom = 11
/** As near as a map goes by itself where streets say where one is. */
const streetZoom = 15

export function createMapView(container: HTMLElement, deps: MapDeps): MapView {
  const { info, language, texts, handlers, library } = deps
  const map = openMap(container, deps)
  const buttons = createMapButtons(library, map, texts, handlers)
  const pin = createPin(library, map, texts, handlers)
  let shown: MapShown = { circles: [], markers: [], pin: undefined }
  const draw = (): void => {
    void map.getSource<GeoJSONSource>('circles')?.setData(circlesAsFeatures(shown.circles))
    void map.getSource<GeoJSONSource>('middles')?.setData(middlesAsFeatures(shown.circles))
    buttons.place(shown.markers)
    pin.place(shown.pin)
  }
  const unwatch = watchTheme(() => {
    map.setStyle(mapStyle({ info, language, colors: readMapColors(container), circles: shown.circles }))
  })
  map.on('load', draw)
  map.on('zoomend', () => {
    buttons.place(shown.markers)
  })
  watchMoves(map, info.streets, handlers)
  map.on('click', ({ lngLat }) => {
    handlers().onPick?.({ lat: lngLat.lat, lng: lngLat.wrap().lng })
  })
  return {
    show(next) {
      shown = next
      draw()
    },
    fit(nearestZoom) {
      const corners = [
        ...shown.circles.flatMap((circle) => ringAround(circle, circle.radiusM, 4)),
        ...shown.markers.map(({ lat, lng }): [number, number] => [lng, lat]),
      ]
      const [corner] = corners
      const hasStreets = corner !== undefined && isWithin(info.streets, corner)
      showAll(map, corners, hasStreets ? Math.max(nearestZoom, streetZoom) : nearestZoom)
      buttons.place(shown.markers)
    },
    goTo(place) {
      const hasStreets = isWithin(info.streets, [place.lng, place.lat])
      showAll(map, ringAround(place, place.radiusM, 4), hasStreets ? map.getMaxZoom() : blindZoom)
      buttons.place(shown.markers)
    },
    goToBox({ west, south, east, north }) {
      map.fitBounds([west, south, east < west ? east + 360 : east, north], { animate: false })
    },
    mark: buttons.mark,
    middle: () => {
      const { lat, lng } = map.getCenter().wrap()
      return { lat, lng }
    },
    [Symbol.dispose]() {
      unwatch()
      map.remove()
    },
  }
}

/** Moves until all the corners can be seen, at once: what moves by itself makes some people ill. */
function showAll(map: MapLibreMap, corners: readonly [number, number][], nearestZoom: number): void {
  if (corners.length === 0) return
  const [lngs, lats] = [corners.map(([lng]) => lng), corners.map(([, lat]) => lat)]
  map.fitBounds(
    [
      [Math.min(...lngs), Math.min(...lats)],
      [Math.max(...lngs), Math.max(...lats)],
    ],
    { padding: 48, maxZoom: nearestZoom, animate: false },
  )
}

function isWithin(streets: TileFacts | null, [lng, lat]: readonly [number, number]): boolean {
  if (streets === null) return false
  const [west, south, east, north] = streets.bounds
  return lng >= west && lng <= east && lat >= south && lat <= north
}

function watchMoves(map: MapLibreMap, streets: TileFacts | null, handlers: () => MapHandlers): void {
  const boxNow = (): Box => {
    const bounds = map.getBounds()
    return { west: bounds.getWest(), south: bounds.getSouth(), east: bounds.getEast(), north: bounds.getNorth() }
  }
  const tellStreets = (): void => {
    if (streets === null) return
    const [west, south, east, north] = streets.bounds
    const box = boxNow()
    const meets = box.west <= east && box.east >= west && box.south <= north && box.north >= south
    handlers().onStreets(meets && map.getZoom() >= streetsFromZoom)
  }
  map.on('load', tellStreets)
  map.on('moveend', (event) => {
    tellStreets()
    // What a person does carries the event that did it.
    if ('originalEvent' in event && event.originalEvent !== undefined) handlers().onMoved(boxNow())
  })
}

function openMap(container: HTMLElement, { library, info, language, texts }: MapDeps): MapLibreMap {
  const { MapLibreMap: Map, NavigationControl, ScaleControl } = library
  const map = new Map({
    container,
    style: mapStyle({ info, language, colors: readMapColors(container), circles: [] }),
    center: [0, 20],
    zoom: 0.6,
    minZoom: 0,
    maxZoom: 18,
    attributionControl: false,
    cooperativeGestures: true,
    dragRotate: false,
    pitchWithRotate: false,
    locale: {
      'Map.Title': texts.title,
      'NavigationControl.ZoomIn': texts.zoomIn,
      'NavigationControl.ZoomOut': texts.zoomOut,
      'CooperativeGesturesHandler.WindowsHelpText': texts.wheel,
      'CooperativeGesturesHandler.MacHelpText': texts.wheelMac,
      'CooperativeGesturesHandler.MobileHelpText': texts.touch,
    },
  })
  map.addControl(new NavigationControl({ showCompass: false }), 'top-right')
  map.addControl(new ScaleControl({}), 'bottom-left')
  return map
}

import type { Point } from '../../lib/geo.ts'
import { ringAround } from '../../lib/geo.ts'
import type { Town } from '../towns/town.ts'
import { clustersAt } from './clusters.ts'
import { readMapColors, watchTheme, type MapTone } from './map-colors.ts'
import { circlesAsFeatures, mapStyle, middlesAsFeatures, paints, townsAsFeatures } from './map-style.ts'
import type * as maplibre from './maplibre.ts'
import type { GeoJSONSource, MapLibreMap } from './maplibre.ts'
import type { Outlines } from './outlines.ts'

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
  readonly many: (count: number) => string
}
export type MapShown = { readonly circles: readonly MapCircle[]; readonly markers: readonly MapMarker[] }

/** A map in an element, until it is disposed of. */
export type MapView = Disposable & {
  readonly show: (shown: MapShown) => void
  /** Moves so that everything shown can be seen, but no nearer than this. */
  readonly fit: (nearestZoom: number) => void
  readonly goTo: (surroundings: Surroundings) => void
  /** Writes the names of towns, the largest first, as far as there is room. */
  readonly name: (towns: readonly Town[]) => void
  readonly middle: () => Point
}

export type MapHandlers = {
  readonly onChoose: (id: string) => void
  readonly onPick: ((point: Point) => void) | undefined
}

const markerClass =
  'inline-flex min-h-11 min-w-11 cursor-pointer items-center justify-center rounded-full border-2 border-surface bg-brand px-2 text-sm font-bold text-on-brand shadow-md numbers'
type Library = typeof maplibre

export function createMapView(
  library: Library,
  container: HTMLElement,
  outlines: Outlines,
  texts: MapTexts,
  handlers: () => MapHandlers,
): MapView {
  const map = openMap(library, container, outlines, texts)
  const buttons = createButtons(library, map, texts, handlers)
  let shown: MapShown = { circles: [], markers: [] }
  let named: readonly Town[] = []
  const draw = (): void => {
    void map.getSource<GeoJSONSource>('circles')?.setData(circlesAsFeatures(shown.circles))
    void map.getSource<GeoJSONSource>('middles')?.setData(middlesAsFeatures(shown.circles))
    buttons.place(shown.markers)
  }
  const write = (): void => {
    void map.getSource<GeoJSONSource>('towns')?.setData(townsAsFeatures(named))
  }
  const unwatch = watchTheme(() => {
    const colors = readMapColors(container)
    for (const [layer, property, color] of paints)
      if (map.getLayer(layer) !== undefined) map.setPaintProperty(layer, property, colors[color])
  })
  map.on('load', () => {
    draw()
    write()
  })
  map.on('zoomend', () => {
    buttons.place(shown.markers)
  })
  map.on('click', ({ lngLat }) => {
    handlers().onPick?.({ lat: lngLat.lat, lng: lngLat.wrap().lng })
  })
  return {
    show(next) {
      shown = next
      draw()
    },
    fit(nearestZoom) {
      showAll(
        map,
        [
          ...shown.circles.flatMap((circle) => ringAround(circle, circle.radiusM, 4)),
          ...shown.markers.map(({ lat, lng }): [number, number] => [lng, lat]),
        ],
        nearestZoom,
      )
      buttons.place(shown.markers)
    },
    goTo(place) {
      showAll(map, ringAround(place, place.radiusM, 4), map.getMaxZoom())
      buttons.place(shown.markers)
    },
    name(towns) {
      named = towns
      write()
    },
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

function openMap(
  { MapLibreMap: Map, NavigationControl, ScaleControl }: Library,
  container: HTMLElement,
  outlines: Outlines,
  texts: MapTexts,
): MapLibreMap {
  const map = new Map({
    container,
    style: mapStyle(outlines, readMapColors(container)),
    center: [0, 20],
    zoom: 0.6,
    minZoom: 0,
    maxZoom: 16,
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

type Buttons = { readonly place: (markers: readonly MapMarker[]) => void }

/** Markers are buttons of the page; those that would lie upon one another are one, with their number. */
function createButtons({ Marker }: Library, map: MapLibreMap, texts: MapTexts, handlers: () => MapHandlers): Buttons {
  const placed = new Map<string, { remove: () => void }>()
  return {
    place(markers) {
      const clusters = clustersAt(markers, map.getZoom())
      const wanted = new Set(clusters.map(({ key }) => key))
      for (const [key, marker] of placed) {
        if (wanted.has(key)) continue
        marker.remove()
        placed.delete(key)
      }
      for (const { key, lat, lng, members } of clusters) {
        const [first] = members
        if (placed.has(key) || first === undefined) continue
        const name = members.length === 1 ? first.name : texts.many(members.length)
        const button = buttonOf(name, members.length === 1 ? first.text : String(members.length), () => {
          if (members.length === 1 || map.getZoom() >= map.getMaxZoom() - 1) handlers().onChoose(first.id)
          else map.easeTo({ center: [lng, lat], zoom: Math.min(map.getZoom() + 2.5, map.getMaxZoom()) })
        })
        placed.set(key, new Marker({ element: button }).setLngLat([lng, lat]).addTo(map))
        // The library names what it places itself; the name of the button is better.
        button.setAttribute('aria-label', name)
        button.removeAttribute('role')
      }
    },
  }
}

function buttonOf(name: string, text: string, onClick: () => void): HTMLButtonElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = markerClass
  button.textContent = text
  button.setAttribute('aria-label', name)
  button.addEventListener('click', (event) => {
    event.stopPropagation()
    onClick()
  })
  return button
}

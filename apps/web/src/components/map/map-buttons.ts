import type { Point } from '../../lib/geo.ts'
import { clusterPoints, type Cluster } from './clusters.ts'
import type { MapHandlers, MapMarker, MapTexts } from './map-view.ts'
import type * as maplibre from './maplibre.ts'
import type { MapLibreMap } from './maplibre.ts'

type Library = typeof maplibre
type Placed = {
  readonly marker: { remove: () => void }
  readonly button: HTMLElement
  readonly ids: ReadonlySet<string>
}
export type MapButtons = {
  readonly place: (markers: readonly MapMarker[]) => void
  readonly mark: (id: string | undefined) => void
}

/** Markers are buttons of the page; those that would lie upon one another are one, with their number. */
export function createMapButtons(
  { Marker }: Library,
  map: MapLibreMap,
  texts: MapTexts,
  handlers: () => MapHandlers,
): MapButtons {
  const placed = new Map<string, Placed>()
  let marked: string | undefined
  let clusters: { readonly of: readonly MapMarker[]; readonly at: (zoom: number) => readonly Cluster<MapMarker>[] } = {
    of: [],
    at: () => [],
  }
  const show = (): void => {
    for (const { button, ids } of placed.values())
      button.classList.toggle('map-pin-chosen', marked !== undefined && ids.has(marked))
  }
  const add = (cluster: Cluster<MapMarker>, first: MapMarker): void => {
    const { key, lat, lng, members } = cluster
    const isOne = members.length === 1
    const name = isOne ? first.name : texts.many(members.length)
    const button = buttonOf(isOne ? first.text : members.length > 99 ? '99+' : String(members.length), isOne)
    button.addEventListener('click', (event) => {
      event.stopPropagation()
      if (isOne || map.getZoom() >= map.getMaxZoom() - 1) handlers().onChoose(first.id)
      else
        map.easeTo(
          { center: [lng, lat], zoom: Math.min(cluster.opensAt + 0.5, map.getMaxZoom()) },
          { originalEvent: event },
        )
    })
    for (const [on, off] of [
      ['pointerenter', 'pointerleave'],
      ['focus', 'blur'],
    ] as const) {
      button.addEventListener(on, () => {
        handlers().onMark(isOne ? first.id : undefined)
      })
      button.addEventListener(off, () => {
        handlers().onMark(undefined)
      })
    }
    // The tip below the button is the place.
    const marker = new Marker({ element: button, anchor: 'bottom', offset: [0, -8] }).setLngLat([lng, lat]).addTo(map)
    // The library names what it places itself; the name of the button is better.
    button.setAttribute('aria-label', name)
    button.removeAttribute('role')
    placed.set(key, { marker, button, ids: new Set(members.map(({ id }) => id)) })
  }
  return {
    place(markers) {
      if (clusters.of !== markers) clusters = { of: markers, at: clusterPoints(markers) }
      const seen = clusters.at(map.getZoom())
      const wanted = new Set(seen.map(({ key }) => key))
      for (const [key, { marker }] of placed) {
        if (wanted.has(key)) continue
        marker.remove()
        placed.delete(key)
      }
      for (const cluster of seen) {
        const [first] = cluster.members
        if (!placed.has(cluster.key) && first !== undefined) add(cluster, first)
      }
      show()
    },
    mark(id) {
      marked = id
      show()
    },
  }
}

function buttonOf(text: string, isOne: boolean): HTMLButtonElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = isOne ? 'map-pin numbers' : 'map-cluster numbers'
  button.textContent = text
  return button
}

/** The pin of a place that is being chosen: it can be dragged, and what it is left at is what is picked. */
export function createPin(
  { Marker }: Library,
  map: MapLibreMap,
  { pin }: MapTexts,
  handlers: () => MapHandlers,
): { readonly place: (at: Point | undefined) => void } {
  const element = document.createElement('span')
  element.className = 'map-place'
  const marker = new Marker({ element, anchor: 'bottom', draggable: true })
  marker.on('dragend', () => {
    const { lat, lng } = marker.getLngLat().wrap()
    handlers().onPick?.({ lat, lng })
  })
  return {
    place(at) {
      if (at === undefined) marker.remove()
      else {
        marker.setLngLat([at.lng, at.lat]).addTo(map)
        // The keyboard moves the map below the pin; fields beside it say the same.
        element.setAttribute('aria-label', pin)
        element.setAttribute('role', 'img')
        element.removeAttribute('tabindex')
      }
    },
  }
}

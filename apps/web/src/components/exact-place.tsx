import type { ReactNode } from 'react'
import { coordinatesOf, type Point } from '../lib/geo.ts'
import { useFormat } from '../lib/format.ts'
import { useMessages } from '../lib/i18n.tsx'
import { defineMessages } from '../lib/messages.ts'

const placeMessages = defineMessages({
  en: {
    exact: 'Exactly at {at}; within {distance} counts as being there.',
    streets: 'See the streets on OpenStreetMap',
  },
  es: {
    exact: 'Exactamente en {at}; a menos de {distance} cuenta como estar allí.',
    streets: 'Ver las calles en OpenStreetMap',
  },
})

/**
 * The point where a task has to be done, with a link to a map of streets. That map is asked for nothing before the
 * reader follows the link.
 */
export function ExactPlace({ at: { lat, lng }, radiusM }: { readonly at: Point; readonly radiusM: number }): ReactNode {
  const say = useMessages(placeMessages)
  const format = useFormat()
  const [north, east] = [lat.toFixed(5), lng.toFixed(5)]
  return (
    <>
      <p className="text-quiet">
        {say('exact', { at: coordinatesOf({ lat, lng }), distance: format.distance(radiusM) })}
      </p>
      <p>
        <a
          href={`https://www.openstreetmap.org/?mlat=${north}&mlon=${east}#map=18/${north}/${east}`}
          target="_blank"
          rel="noreferrer noopener"
          className="link inline-flex min-h-6 items-center"
        >
          {say('streets')}
        </a>
      </p>
    </>
  )
}

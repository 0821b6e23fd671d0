import { useEffect, useState, type ReactNode } from 'react'
import { useMessages } from '../../lib/i18n.tsx'
import { OsmName } from '../osm-name.tsx'
import { loadMapInfo } from './map-info.ts'
import { mapMessages } from './messages.ts'

/** Whose data the map is drawn from: always there, and the streets' where streets are seen. */
export function MapSources({ hasStreets }: { readonly hasStreets: boolean }): ReactNode {
  const say = useMessages(mapMessages)
  /** Null where the service has none. */
  const [streets, setStreets] = useState<string | null>('')
  useEffect(() => {
    let isOver = false
    loadMapInfo().then(
      (info) => {
        if (!isOver) setStreets(info.streets === null ? null : info.streets.attribution)
      },
      () => undefined,
    )
    return () => {
      isOver = true
    }
  }, [])
  return (
    <p aria-label={say('sources')} className="text-micro text-quiet">
      {streets === null && `${say('noStreets')} `}
      {hasStreets && (
        <>
          {say('streets')} <OsmName text={streets ?? ''} />
          {' · '}
        </>
      )}
      {say('towns')} <Source href="https://www.geonames.org/">GeoNames</Source> (CC BY 4.0) · {say('coasts')}
    </p>
  )
}

function Source({ href, children }: { readonly href: string; readonly children: ReactNode }): ReactNode {
  return (
    <a href={href} target="_blank" rel="noreferrer noopener" className="link">
      {children}
    </a>
  )
}

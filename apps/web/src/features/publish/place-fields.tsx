import { useState, type ReactNode } from 'react'
import { Button } from '../../components/button.tsx'
import { CheckField, TextField } from '../../components/field.tsx'
import { Note } from '../../components/surface.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import type { TaskDraft } from './draft.ts'
import { publishMessages } from './messages.ts'

type PlaceProps = { readonly draft: TaskDraft; readonly change: (part: Partial<TaskDraft>) => void; readonly faultOf: (field: string) => string | undefined; readonly map?: ReactNode }

const patienceMs = 20_000

/** Where the task has to be done: as figures, by this device, or on the map that the screen puts in. */
export function PlaceFields({ draft, change, faultOf, map }: PlaceProps): ReactNode {
  const say = useMessages(publishMessages)
  const [failed, setFailed] = useState(false)
  const locate = (): void => {
    setFailed(false)
    navigator.geolocation.getCurrentPosition(({ coords }) => { change({ lat: coords.latitude.toFixed(6), lng: coords.longitude.toFixed(6) }) }, () => { setFailed(true) }, { enableHighAccuracy: true, timeout: patienceMs })
  }
  return (
    <>
      <TextField label={say('locationHint')} value={draft.locationHint} error={faultOf('location_hint')} onChange={({ target }) => { change({ locationHint: target.value }) }} />
      <CheckField label={say('hasPlace')} checked={draft.hasPlace} onChange={({ target }) => { change({ hasPlace: target.checked }) }} />
      {draft.hasPlace && (
        <>
          {map}
          <div className="grid gap-3 sm:grid-cols-3">
            <TextField label={say('lat')} inputMode="decimal" value={draft.lat} error={faultOf('lat')} onChange={({ target }) => { change({ lat: target.value }) }} />
            <TextField label={say('lng')} inputMode="decimal" value={draft.lng} error={faultOf('lng')} onChange={({ target }) => { change({ lng: target.value }) }} />
            <TextField label={say('radius')} inputMode="numeric" value={draft.radius} error={faultOf('radius_m')} onChange={({ target }) => { change({ radius: target.value }) }} />
          </div>
          <p className="text-sm text-quiet">{say('radiusHint')}</p>
          <div><Button onClick={locate}>{say('here')}</Button></div>
          {failed && <Note tone="warn" role="alert" title={say('hereFailed')} />}
        </>
      )}
    </>
  )
}

import { lazy, Suspense, useState, type ReactNode } from 'react'
import { Button } from '../../components/button.tsx'
import { CheckField, TextField } from '../../components/field.tsx'
import { Note } from '../../components/surface.tsx'
import { devicePosition } from '../../lib/device-position.ts'
import type { Point } from '../../lib/geo.ts'
import { useMessages, useSpeech } from '../../lib/i18n.tsx'
import { numberTyped } from '../../lib/number-typed.ts'
import { emptyDraft, pinOf, type TaskDraft } from './draft.ts'
import { publishMessages } from './messages.ts'

type PlaceProps = {
  readonly draft: TaskDraft
  readonly change: (part: Partial<TaskDraft>) => void
  readonly faultOf: (field: string) => string | undefined
}

const patienceMs = 20_000
/** A town with what is around it, and a door with the streets beside it. */
const [townM, addressM] = [30_000, 400] as const
/** The pin of a town is in its middle, and few places are nearer to that than the usual radius. */
const townRadius = '5000'
// A task that can be done anywhere loads neither.
const TownField = lazy(async () => ({ default: (await import('../../components/towns/town-field.tsx')).TownField }))
const PlaceMap = lazy(async () => ({ default: (await import('./place-map.tsx')).PlaceMap }))

/** Where the task has to be done: by the name of a town or an address, on the map, by this device, or as figures. */
export function PlaceFields({ draft, change, faultOf }: PlaceProps): ReactNode {
  const say = useMessages(publishMessages)
  const chosen = useChosenPlace(draft, change)
  return (
    <>
      <TextField
        label={say('locationHint')}
        value={draft.locationHint}
        error={faultOf('location_hint')}
        onChange={({ target }) => change({ locationHint: target.value })}
      />
      <CheckField
        label={say('hasPlace')}
        checked={draft.hasPlace}
        onChange={({ target }) => change({ hasPlace: target.checked })}
      />
      {draft.hasPlace && (
        <>
          <Pin draft={draft} chosen={chosen} />
          <Figures draft={draft} faultOf={faultOf} change={change} />
          <p className="text-sm text-quiet">{say('radiusHint')}</p>
          <div>
            <Button onClick={chosen.locate}>{say('here')}</Button>
          </div>
          {chosen.hasFailed && <Note tone="warn" role="alert" title={say('hereFailed')} />}
        </>
      )}
    </>
  )
}

type ChosenPlace = {
  /** Where the map goes; nowhere after a pin was set on it by hand. */
  readonly shown: { readonly at: Point | undefined; readonly isTown: boolean; readonly radiusM: number } | undefined
  /** This device did not say where it is. */
  readonly hasFailed: boolean
  readonly choose: (place: { readonly at: Point; readonly isTown: boolean }) => void
  readonly pick: (point: Point) => void
  readonly locate: () => void
}

/** The three ways to set the pin, and what they write into the draft. */
function useChosenPlace(draft: TaskDraft, change: PlaceProps['change']): ChosenPlace {
  const [hasFailed, setFailed] = useState(false)
  const [shown, setShown] = useState<ChosenPlace['shown']>(() => ({
    at: pinOf(draft),
    isTown: false,
    radiusM: townM,
  }))
  const choose: ChosenPlace['choose'] = ({ at, isTown }) => {
    setShown({ at, isTown, radiusM: isTown ? townM : addressM })
    // A radius that nobody changed follows what was chosen.
    const [usual, other] = isTown ? [townRadius, emptyDraft.radius] : [emptyDraft.radius, townRadius]
    change({ lat: String(at.lat), lng: String(at.lng), ...(draft.radius === other ? { radius: usual } : {}) })
  }
  const pick = ({ lat, lng }: Point): void => {
    setShown(undefined)
    change({ lat: lat.toFixed(5), lng: lng.toFixed(5) })
  }
  const locate = (): void => {
    const device = devicePosition()
    setFailed(device === undefined)
    device?.getCurrentPosition(
      ({ coords: { latitude: lat, longitude: lng } }) => {
        setShown({ at: { lat, lng }, isTown: false, radiusM: townM })
        change({ lat: lat.toFixed(6), lng: lng.toFixed(6) })
      },
      () => {
        setFailed(true)
      },
      { enableHighAccuracy: true, timeout: patienceMs },
    )
  }
  return { shown, hasFailed, choose, pick, locate }
}

function Pin({ draft, chosen }: { readonly draft: TaskDraft; readonly chosen: ChosenPlace }): ReactNode {
  const say = useMessages(publishMessages)
  const { locale } = useSpeech()
  const radius = numberTyped(draft.radius, locale)
  return (
    <>
      <Suspense fallback={<div className="min-h-32" />}>
        <TownField onChoose={chosen.choose} />
      </Suspense>
      {chosen.shown?.isTown === true && <p className="text-sm text-quiet">{say('townHint')}</p>}
      <Suspense fallback={<div className="h-72" />}>
        <PlaceMap
          pin={pinOf(draft)}
          radiusM={typeof radius === 'number' && radius > 0 ? radius : 0}
          goTo={chosen.shown?.at}
          aroundM={chosen.shown?.radiusM ?? townM}
          onPick={chosen.pick}
        />
      </Suspense>
    </>
  )
}

type FiguresProps = {
  readonly draft: TaskDraft
  readonly faultOf: (field: string) => string | undefined
  readonly change: (part: Partial<TaskDraft>) => void
}

function Figures({ draft, faultOf, change }: FiguresProps): ReactNode {
  const say = useMessages(publishMessages)
  return (
    <div className="grid gap-3 sm:grid-cols-3">
      <TextField
        label={say('lat')}
        inputMode="decimal"
        value={draft.lat}
        error={faultOf('lat')}
        onChange={({ target }) => change({ lat: target.value })}
      />
      <TextField
        label={say('lng')}
        inputMode="decimal"
        value={draft.lng}
        error={faultOf('lng')}
        onChange={({ target }) => change({ lng: target.value })}
      />
      <TextField
        label={say('radius')}
        inputMode="numeric"
        value={draft.radius}
        error={faultOf('radius_m')}
        onChange={({ target }) => change({ radius: target.value })}
      />
    </div>
  )
}

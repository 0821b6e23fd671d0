import { useEffect, useState, type ReactNode } from 'react'
import { Button } from '../../components/button.tsx'
import { Note } from '../../components/surface.tsx'
import { useFormat } from '../../lib/format.ts'
import { useMessages } from '../../lib/i18n.tsx'
import { captureMessages } from './messages.ts'
import { positionOf, qualityOf, type Fix, type Position } from './position-quality.ts'

type PositionStepProps = {
  readonly position: Position | undefined
  readonly radius: number | null
  readonly error: string | undefined
  readonly onPosition: (position: Position) => void
}

/** Several fixes over some seconds; each better series is kept at once. */
export function PositionStep({ position, radius, error, onPosition }: PositionStepProps): ReactNode {
  const say = useMessages(captureMessages)
  const [isOn, setOn] = useState(false)
  const [fixes, setFixes] = useState<readonly Fix[]>([])
  const [fault, setFault] = useState<'deniedPosition' | 'noPosition'>()
  useEffect(() => {
    if (!isOn) return
    const watch = navigator.geolocation.watchPosition(
      ({ coords, timestamp }) => {
        setFault(undefined)
        setFixes((known) => [
          ...known,
          {
            lat: coords.latitude,
            lng: coords.longitude,
            accuracy_meters: Math.min(coords.accuracy, 100_000),
            timestamp: new Date(timestamp).toISOString(),
          },
        ])
      },
      ({ code }) => {
        setFault(code === 1 ? 'deniedPosition' : 'noPosition')
        if (code === 1) setOn(false)
      },
      { enableHighAccuracy: true, maximumAge: 0, timeout: 20_000 },
    )
    return () => {
      navigator.geolocation.clearWatch(watch)
    }
  }, [isOn])
  const shown = isOn ? fixes : (position?.samples ?? fixes)
  const quality = qualityOf(shown, radius)
  const found = positionOf(fixes)
  return (
    <div className="grid gap-3">
      <QualitySays quality={quality} isOn={isOn} />
      <meter
        aria-label={say('meter')}
        min={0}
        max={1}
        low={0.5}
        high={0.99}
        optimum={1}
        value={quality.word === 'rough' ? 0.4 : quality.share}
        className="h-3 w-full"
      />
      {fault !== undefined && <Note tone="warn" role="alert" title={say(fault)} />}
      {error !== undefined && <p className="text-sm font-semibold text-bad">{error}</p>}
      <div className="flex flex-wrap gap-3">
        {isOn ? (
          <Button
            kind="primary"
            disabled={found === undefined}
            onClick={() => {
              setOn(false)
              if (found !== undefined) onPosition(found)
            }}
          >
            {say('stopPosition')}
          </Button>
        ) : (
          <Button
            kind={position === undefined ? 'primary' : 'secondary'}
            onClick={() => {
              setFixes([])
              setOn(true)
            }}
          >
            {say(position === undefined ? 'startPosition' : 'again')}
          </Button>
        )}
      </div>
    </div>
  )
}

type QualitySaysProps = {
  readonly quality: ReturnType<typeof qualityOf>
  readonly isOn: boolean
}

function QualitySays({ quality, isOn }: QualitySaysProps): ReactNode {
  const say = useMessages(captureMessages)
  const format = useFormat()
  return (
    <div role="status" className="grid gap-1">
      <p className="font-semibold">
        {quality.word === 'none' && !isOn ? say('needs') : say(`quality.${quality.word}`)}
      </p>
      {quality.accuracy !== null && (
        <p className="text-quiet">
          {say('accuracy', { distance: format.distance(quality.accuracy) })} · {say('fixes', { n: quality.count })}
        </p>
      )}
    </div>
  )
}

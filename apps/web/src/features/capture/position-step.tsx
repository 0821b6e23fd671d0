import type { ReactNode } from 'react'
import { Button } from '../../components/button.tsx'
import { Icon } from '../../components/icon.tsx'
import { Note } from '../../components/surface.tsx'
import { useFormat } from '../../lib/format.ts'
import { useMessages } from '../../lib/i18n.tsx'
import { captureMessages } from './messages.ts'
import type { Position } from './position-quality.ts'
import type { PositionWatch } from './position-watch.ts'

type PositionStepProps = {
  readonly watch: PositionWatch
  readonly position: Position | undefined
  readonly error: string | undefined
  /** The camera above it says how good the position is. */
  readonly isSaidAbove?: boolean
  readonly onPosition: (position: Position) => void
}

/** Where one is: how good it is so far, and taking it. */
export function PositionStep({
  watch,
  position,
  error,
  isSaidAbove = false,
  onPosition,
}: PositionStepProps): ReactNode {
  const say = useMessages(captureMessages)
  const { isOn, found, fault } = watch
  return (
    <div className="grid gap-3">
      {!isSaidAbove && <PositionSays watch={watch} />}
      {fault !== undefined && <Note tone="warn" role="alert" title={say(fault)} />}
      {error !== undefined && (
        <p className="flex gap-1.5 text-sm text-bad">
          <Icon name="warning-fill" className="mt-0.5" />
          {error}
        </p>
      )}
      <div>
        {isOn ? (
          <Button
            kind="primary"
            className="max-wide:w-full"
            disabled={found === undefined}
            onClick={() => {
              watch.stop()
              if (found !== undefined) onPosition(found)
            }}
          >
            {say('stopPosition')}
          </Button>
        ) : (
          <Button className="max-wide:w-full" onClick={watch.start}>
            <Icon name="map-pin" />
            {say(position === undefined ? 'startPosition' : 'again')}
          </Button>
        )}
      </div>
    </div>
  )
}

/** How good the position is, as bars and as words. */
export function PositionSays({ watch: { quality, isOn } }: { readonly watch: PositionWatch }): ReactNode {
  const say = useMessages(captureMessages)
  const format = useFormat()
  const isGood = quality.word === 'good'
  return (
    <div className="flex items-center gap-3.5">
      <Bars lit={quality.word === 'rough' ? 2 : Math.ceil(quality.share * 4)} isGood={isGood} />
      <div role="status" className="grid min-w-0 grow gap-0.5">
        <p className="font-label">{quality.word === 'none' && !isOn ? say('needs') : say(`quality.${quality.word}`)}</p>
        {quality.accuracy !== null && (
          <p className="text-sm opacity-80">
            {say('accuracy', { distance: format.distance(quality.accuracy) })} · {say('fixes', { n: quality.count })}
          </p>
        )}
      </div>
      {isGood && <Icon name="check-circle-fill" className="text-[1.4rem] text-good" />}
    </div>
  )
}

const heights = [6, 10, 14, 19] as const

function Bars({ lit, isGood }: { readonly lit: number; readonly isGood: boolean }): ReactNode {
  return (
    <svg aria-hidden="true" viewBox="0 0 28 20" className={`h-5 w-7 flex-none ${isGood ? 'text-good' : ''}`}>
      {heights.map((height, at) => (
        <rect
          key={height}
          x={at * 7.5}
          y={20 - height}
          width="5"
          height={height}
          rx="1.5"
          fill="currentColor"
          opacity={at < lit ? 1 : 0.25}
        />
      ))}
    </svg>
  )
}

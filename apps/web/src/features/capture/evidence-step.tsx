import type { ReactNode } from 'react'
import type { EvidenceType } from '@ergon/contract'
import { evidenceIcon } from '../../components/evidence-icon.ts'
import { TextAreaField, TextField } from '../../components/field.tsx'
import { Icon } from '../../components/icon.tsx'
import { Badge, Card } from '../../components/surface.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import { wordMessages } from '../../messages/words.ts'
import { evidenceInputs } from './evidence-input.ts'
import { FileStep, type CapturedFile } from './file-step.tsx'
import { captureMessages } from './messages.ts'
import type { Position } from './position-quality.ts'
import { PositionSays, PositionStep } from './position-step.tsx'
import { usePositionWatch } from './position-watch.ts'

type EvidenceStepProps = {
  readonly type: EvidenceType
  /** Which of the required ones it is; null for what may be added. */
  readonly place: { readonly n: number; readonly of: number } | null
  readonly radius: number | null
  readonly file: CapturedFile | undefined
  readonly position: Position | undefined
  readonly typed: string
  readonly isReady: boolean
  readonly error: string | undefined
  /** What is wrong with the position of a photo with position. */
  readonly positionError: string | undefined
  readonly onFile: (file: CapturedFile) => void
  readonly onPosition: (position: Position) => void
  readonly onTyped: (typed: string) => void
}

/** One thing that the task asks for, given in the way that suits it. */
export function EvidenceStep({
  type,
  place,
  radius,
  file,
  position,
  typed,
  isReady,
  error,
  positionError,
  onFile,
  onPosition,
  onTyped,
}: EvidenceStepProps): ReactNode {
  const say = useMessages(captureMessages)
  const words = useMessages(wordMessages)
  const input = evidenceInputs[type]
  const label = words(`evidence.${type}`)
  const watch = usePositionWatch(position, radius, onPosition)
  const isPlaced = type === 'photo_geo'
  return (
    <Card as="section" className="grid gap-4">
      <StepHead type={type} place={place} isReady={isReady} />
      {(input === 'camera' || input === 'file') && (
        <FileStep
          type={type}
          label={label}
          file={file}
          error={error}
          onFile={onFile}
          onCamera={isPlaced && position === undefined ? watch.start : undefined}
          cameraSays={isPlaced ? <PositionSays watch={watch} /> : undefined}
        />
      )}
      {isPlaced && (
        <div id="evidence.gps" tabIndex={-1} className="grid gap-3 border-t border-line pt-4 outline-none">
          <h3>{say('positionOfPhoto')}</h3>
          <p className="text-sm text-quiet">{say('positionOfPhotoHint')}</p>
          <PositionStep
            watch={watch}
            position={position}
            error={positionError}
            isSaidAbove={file === undefined}
            onPosition={onPosition}
          />
        </div>
      )}
      {input === 'position' && <PositionStep watch={watch} position={position} error={error} onPosition={onPosition} />}
      <TypedStep type={type} typed={typed} error={error} onTyped={onTyped} />
    </Card>
  )
}

type HeadProps = Pick<EvidenceStepProps, 'type' | 'place' | 'isReady'>

function StepHead({ type, place, isReady }: HeadProps): ReactNode {
  const say = useMessages(captureMessages)
  const words = useMessages(wordMessages)
  const what = words(`evidence.${type}`)
  const title = (
    <span className="flex items-center gap-3">
      <span className={`disc ${isReady ? '' : 'bg-sunken text-ink'}`}>
        <Icon name={isReady ? 'check-bold' : evidenceIcon(type)} />
      </span>
      {place === null || place.of === 1 ? what : say('step', { ...place, what })}
    </span>
  )
  return (
    <div className="flex flex-wrap items-center justify-between gap-2">
      {place === null ? <h3>{title}</h3> : <h2 className="text-card">{title}</h2>}
      <Badge
        tone={isReady ? 'good' : place === null ? 'over' : 'plain'}
        icon={isReady ? 'check-circle-bold' : 'circle-half-bold'}
      >
        {say(isReady ? 'ready' : place === null ? 'optional' : 'missing')}
      </Badge>
    </div>
  )
}

type TypedProps = Pick<EvidenceStepProps, 'type' | 'typed' | 'error' | 'onTyped'>

/** What is written, where the step is one of words. */
function TypedStep({ type, typed, error, onTyped }: TypedProps): ReactNode {
  const say = useMessages(captureMessages)
  const words = useMessages(wordMessages)
  const input = evidenceInputs[type]
  const label = words(`evidence.${type}`)
  if (input === 'text' || input === 'json')
    return (
      <TextAreaField
        label={label}
        hint={say(`${input}Hint`)}
        error={error}
        value={typed}
        onChange={({ target }) => {
          onTyped(target.value)
        }}
      />
    )
  if (input !== 'link' && input !== 'measurement' && input !== 'timestamp') return null
  return (
    <TextField
      label={label}
      hint={say(`${input}Hint`)}
      type={input === 'link' ? 'url' : 'text'}
      error={error}
      value={typed}
      onChange={({ target }) => {
        onTyped(target.value)
      }}
    />
  )
}

import type { ReactNode } from 'react'
import type { EvidenceType } from '@ergon/contract'
import { TextAreaField, TextField } from '../../components/field.tsx'
import { Badge, Card } from '../../components/surface.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import { wordMessages } from '../../messages/words.ts'
import { evidenceInputs } from './evidence-input.ts'
import { FileStep, type CapturedFile } from './file-step.tsx'
import { captureMessages } from './messages.ts'
import type { Position } from './position-quality.ts'
import { PositionStep } from './position-step.tsx'

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
  return (
    <Card as="section" className="grid gap-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        {place === null ? <h3>{label}</h3> : <h2>{say('step', { ...place, what: label })}</h2>}
        <Badge tone={isReady ? 'good' : 'plain'}>
          {say(isReady ? 'ready' : place === null ? 'optional' : 'missing')}
        </Badge>
      </div>
      {(input === 'camera' || input === 'file') && (
        <FileStep type={type} label={label} file={file} error={error} onFile={onFile} />
      )}
      {type === 'photo_geo' && (
        <div id="evidence.gps" tabIndex={-1} className="grid gap-3 border-t border-line pt-4 outline-none">
          <h3>{say('positionOfPhoto')}</h3>
          <p className="text-sm text-quiet">{say('positionOfPhotoHint')}</p>
          <PositionStep position={position} radius={radius} error={positionError} onPosition={onPosition} />
        </div>
      )}
      {input === 'position' && (
        <PositionStep position={position} radius={radius} error={error} onPosition={onPosition} />
      )}
      {(input === 'text' || input === 'json') && (
        <TextAreaField
          label={label}
          hint={say(`${input}Hint`)}
          error={error}
          value={typed}
          onChange={({ target }) => {
            onTyped(target.value)
          }}
        />
      )}
      {(input === 'link' || input === 'measurement' || input === 'timestamp') && (
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
      )}
    </Card>
  )
}

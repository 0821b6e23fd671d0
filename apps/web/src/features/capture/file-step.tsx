import { useId, useState, type ReactNode } from 'react'
import { limits, type EvidenceType } from '@ergon/contract'
import { Button, buttonClass } from '../../components/button.tsx'
import { FilePreview } from '../../components/file-preview.tsx'
import { Icon } from '../../components/icon.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import { asJpeg } from './as-jpeg.ts'
import { Camera } from './camera.tsx'
import { acceptedFiles, evidenceInputs } from './evidence-input.ts'
import { captureMessages } from './messages.ts'

export type CapturedFile = {
  readonly blob: Blob
  readonly contentType: ReturnType<typeof acceptedFiles>[number]
  readonly name: string
}
type FileStepProps = {
  readonly type: EvidenceType
  readonly label: string
  readonly file: CapturedFile | undefined
  readonly error: string | undefined
  readonly onFile: (file: CapturedFile) => void
  /** What starts with the camera. */
  readonly onCamera?: (() => void) | undefined
  /** What is said over the picture while the camera is open. */
  readonly cameraSays?: ReactNode
}

/** One file: from the camera in the page where the type is a picture, or chosen. */
export function FileStep({ type, label, file, error, onFile, onCamera, cameraSays }: FileStepProps): ReactNode {
  const say = useMessages(captureMessages)
  const [isOpen, setOpen] = useState(false)
  const [fault, setFault] = useState<'fileKind' | 'fileSize'>()
  const accepted = acceptedFiles(type)
  const choose = (chosen: File | undefined): void => {
    if (chosen === undefined) return
    const contentType = accepted.find((one) => one === chosen.type)
    const wrong = contentType === undefined ? 'fileKind' : chosen.size > limits.evidenceBytes ? 'fileSize' : undefined
    setFault(wrong)
    if (contentType === undefined || wrong !== undefined) return
    const given = { blob: chosen, contentType, name: chosen.name.slice(-200) }
    if (type !== 'photo_geo') onFile(given)
    else
      asJpeg(given).then(onFile, () => {
        setFault('fileKind')
      })
  }
  const hasCamera = evidenceInputs[type] === 'camera'
  const says = fault === undefined ? error : say(fault, { limit: limits.evidenceBytes / 1_048_576 })
  const errorId = useId()
  return (
    <div className="grid gap-3">
      {file !== undefined && <FilePreview file={file} alt={say('preview')} />}
      <div className="flex flex-wrap items-center gap-3">
        {hasCamera && (
          <Button
            kind={file === undefined ? 'primary' : 'secondary'}
            className="max-wide:grow"
            onClick={() => {
              setOpen(true)
              onCamera?.()
            }}
          >
            <Icon name="camera-bold" />
            {say(file === undefined ? 'camera' : 'retake')}
          </Button>
        )}
        <ChooseFile
          label={label}
          accept={accepted.join(',')}
          kind={hasCamera || file !== undefined ? 'quiet' : 'secondary'}
          describedBy={says === undefined ? undefined : errorId}
          onChoose={choose}
        />
      </div>
      {says !== undefined && (
        <p id={errorId} role="alert" className="flex gap-1.5 text-sm text-bad">
          <Icon name="warning-fill" className="mt-0.5" />
          {says}
        </p>
      )}
      {isOpen && (
        <Camera
          label={label}
          says={cameraSays}
          onClose={() => {
            setOpen(false)
          }}
          onPicture={(blob) => {
            setOpen(false)
            setFault(undefined)
            onFile({ blob, contentType: 'image/jpeg', name: `${type}.jpg` })
          }}
        />
      )}
    </div>
  )
}

type ChooseProps = {
  readonly label: string
  readonly accept: string
  readonly kind: 'quiet' | 'secondary'
  /** What says that the last one did not fit. */
  readonly describedBy: string | undefined
  readonly onChoose: (file: File | undefined) => void
}

/** The browser's own field for a file, in the look of a button. */
function ChooseFile({ label, accept, kind, describedBy, onChoose }: ChooseProps): ReactNode {
  const say = useMessages(captureMessages)
  return (
    <label className={buttonClass(kind, 'file-btn relative')}>
      {say('choose')}
      <span className="visually-hidden">: {label}</span>
      <input
        type="file"
        accept={accept}
        className="visually-hidden"
        aria-describedby={describedBy}
        aria-invalid={describedBy === undefined ? undefined : true}
        onChange={({ target }) => {
          onChoose(target.files?.[0])
        }}
      />
    </label>
  )
}

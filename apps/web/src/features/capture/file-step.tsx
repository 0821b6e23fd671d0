import { useState, type ReactNode } from 'react'
import { limits, type EvidenceType } from '@ergon/contract'
import { Button } from '../../components/button.tsx'
import { Field, inputClass } from '../../components/field.tsx'
import { FilePreview } from '../../components/file-preview.tsx'
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
}

/** One file: from the camera in the page where the type is a picture, or chosen. */
export function FileStep({ type, label, file, error, onFile }: FileStepProps): ReactNode {
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
  return (
    <div className="grid gap-3">
      {file !== undefined && <FilePreview file={file} alt={say('preview')} />}
      {hasCamera &&
        (isOpen ? (
          <Camera
            onClose={() => {
              setOpen(false)
            }}
            onPicture={(blob) => {
              setOpen(false)
              setFault(undefined)
              onFile({ blob, contentType: 'image/jpeg', name: `${type}.jpg` })
            }}
          />
        ) : (
          <div>
            <Button
              kind={file === undefined ? 'primary' : 'secondary'}
              onClick={() => {
                setOpen(true)
              }}
            >
              {say(file === undefined ? 'camera' : 'retake')}
            </Button>
          </div>
        ))}
      <Field
        label={
          <>
            {say('choose')}
            <span className="visually-hidden">: {label}</span>
          </>
        }
        error={fault === undefined ? error : say(fault, { limit: limits.evidenceBytes / 1_048_576 })}
      >
        {(ties) => (
          <input
            {...ties}
            type="file"
            accept={accepted.join(',')}
            className={inputClass}
            onChange={({ target }) => {
              choose(target.files?.[0])
            }}
          />
        )}
      </Field>
    </div>
  )
}

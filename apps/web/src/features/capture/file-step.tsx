import { useId, useState, type ReactNode } from 'react'
import { limits, type EvidenceType } from '@ergon/contract'
import { fileKinds } from '@ergon/contract/facts'
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
  const { accepted, fault, choose, forgive } = useChoosing(type, onFile)
  const hasCamera = evidenceInputs[type] === 'camera'
  const limit = limits.evidenceBytes / 1_048_576
  const kinds = accepted.map((one) => fileKinds[one].endings[0].toUpperCase()).join(', ')
  const says = fault === undefined ? error : say(fault, { limit, kinds })
  const errorId = useId()
  const openCamera = (): void => {
    setOpen(true)
    onCamera?.()
  }
  const chooseFile = (look: string): ReactNode => (
    <ChooseFile
      label={label}
      accept={accepted.join(',')}
      look={look}
      describedBy={says === undefined ? undefined : errorId}
      onChoose={choose}
    />
  )
  return (
    <div className="grid gap-3">
      {hasCamera && file === undefined ? (
        <Viewfinder says={cameraSays} onOpen={openCamera}>
          {chooseFile('viewfinder-file')}
        </Viewfinder>
      ) : (
        <>
          {file !== undefined && <FilePreview file={file} alt={say('preview')} />}
          <div className="flex flex-wrap items-center gap-3">
            {hasCamera && (
              <Button className="max-wide:grow" onClick={openCamera}>
                <Icon name="camera-bold" />
                {say('retake')}
              </Button>
            )}
            {chooseFile(buttonClass(file === undefined ? 'secondary' : 'quiet', 'relative'))}
          </div>
        </>
      )}
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
            forgive()
            onFile({ blob, contentType: 'image/jpeg', name: `${type}.jpg` })
          }}
        />
      )}
    </div>
  )
}

type Choosing = {
  readonly accepted: ReturnType<typeof acceptedFiles>
  readonly fault: 'fileKind' | 'fileSize' | 'filmSize' | undefined
  readonly choose: (chosen: File | undefined) => void
  readonly forgive: () => void
}

/** A minute of film is larger than a link takes: whoever films can make it shorter. */
function tooLarge({ type }: File): 'filmSize' | 'fileSize' {
  return type.startsWith('video/') ? 'filmSize' : 'fileSize'
}

/** A file of the device, which is taken where it fits. */
function useChoosing(type: EvidenceType, onFile: (file: CapturedFile) => void): Choosing {
  const [fault, setFault] = useState<Choosing['fault']>()
  const accepted = acceptedFiles(type)
  const choose = (chosen: File | undefined): void => {
    if (chosen === undefined) return
    const contentType = accepted.find((one) => one === chosen.type)
    const wrong =
      contentType === undefined ? 'fileKind' : chosen.size > limits.evidenceBytes ? tooLarge(chosen) : undefined
    setFault(wrong)
    if (contentType === undefined || wrong !== undefined) return
    const given = { blob: chosen, contentType, name: chosen.name.slice(-200) }
    if (type !== 'photo_geo') onFile(given)
    else
      asJpeg(given).then(onFile, () => {
        setFault('fileKind')
      })
  }
  const forgive = (): void => {
    setFault(undefined)
  }
  return { accepted, fault, choose, forgive }
}

type ViewfinderProps = {
  readonly says: ReactNode
  readonly onOpen: () => void
  /** The other way to a picture. */
  readonly children: ReactNode
}

/** The camera before it is open: dark in both themes, its one button the shutter that opens it. */
function Viewfinder({ says, onOpen, children }: ViewfinderProps): ReactNode {
  const say = useMessages(captureMessages)
  return (
    <div className="viewfinder">
      {says !== undefined && <div className="viewfinder-says">{says}</div>}
      <svg aria-hidden="true" viewBox="0 0 100 100" preserveAspectRatio="none" className="viewfinder-frame">
        <path d="M0 14V0h11M89 0h11v14M100 86v14H89M11 100H0V86" vectorEffect="non-scaling-stroke" />
      </svg>
      <div className="grid grid-cols-[1fr_auto_1fr] items-center gap-3">
        <span className="justify-self-start">{children}</span>
        <button type="button" aria-label={say('camera')} className="shutter grid place-items-center" onClick={onOpen}>
          <Icon name="camera" className="text-[1.75rem] text-[#0b100e]" />
        </button>
      </div>
      <p className="text-center text-micro opacity-80">{say('kept')}</p>
    </div>
  )
}

type ChooseProps = {
  readonly label: string
  readonly accept: string
  readonly look: string
  /** What says that the last one did not fit. */
  readonly describedBy: string | undefined
  readonly onChoose: (file: File | undefined) => void
}

/** The browser's own field for a file, in the look of a button. */
function ChooseFile({ label, accept, look, describedBy, onChoose }: ChooseProps): ReactNode {
  const say = useMessages(captureMessages)
  return (
    <label className={`file-btn ${look}`}>
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

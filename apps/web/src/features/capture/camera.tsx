import { useEffect, useRef, useState, type ReactNode, type RefObject } from 'react'
import { Icon } from '../../components/icon.tsx'
import { Note } from '../../components/surface.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import { captureMessages } from './messages.ts'

const mostBytes = 2 * 1_048_576
const longestSide = 2_560
type CameraFault = 'noCamera' | 'deniedCamera' | 'cameraBusy'

/** The camera over the whole page, dark in both themes; the picture is a JPEG of at most 2 MB. */
export function Camera({
  label,
  says,
  onPicture,
  onClose,
}: {
  /** What is taken. */
  readonly label: string
  /** What is drawn over the picture. */
  readonly says?: ReactNode
  readonly onPicture: (picture: Blob) => void
  readonly onClose: () => void
}): ReactNode {
  const say = useMessages(captureMessages)
  const { video, screen, fault, busy, shoot } = useCamera(onPicture)
  const [isUpright, setUpright] = useState(false)
  if (fault !== undefined) return <Note tone="warn" role="alert" title={say(fault)} />
  return (
    <dialog
      ref={screen}
      aria-label={label}
      className="camera"
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
    >
      <div className="flex items-center justify-between gap-3">
        <button type="button" aria-label={say('closeCamera')} className="camera-btn" onClick={onClose}>
          <Icon name="x-bold" />
        </button>
        <p className="min-w-0 truncate text-sm font-label">{label}</p>
        <span className="size-12" />
      </div>
      <div className="relative grid min-h-0 place-items-center">
        <video
          ref={video}
          autoPlay
          muted
          playsInline
          className="size-full min-h-0 rounded-card object-contain"
          onLoadedMetadata={({ currentTarget }) => setUpright(currentTarget.videoHeight > currentTarget.videoWidth)}
        />
        {says !== undefined && <div className="camera-says">{says}</div>}
      </div>
      <div className="grid justify-items-center gap-3">
        <p role="status" className="min-h-5 text-center text-sm">
          {isUpright ? say('upright') : ''}
        </p>
        <button type="button" aria-label={say('shoot')} aria-disabled={busy} className="shutter" onClick={shoot} />
        <p className="text-micro opacity-80">{say('keptHere')}</p>
      </div>
    </dialog>
  )
}

type Shooting = {
  readonly video: RefObject<HTMLVideoElement | null>
  readonly screen: RefObject<HTMLDialogElement | null>
  readonly fault: CameraFault | undefined
  readonly busy: boolean
  readonly shoot: () => void
}

/** The stream of the device while it is shown, and a picture of it. */
function useCamera(onPicture: (picture: Blob) => void): Shooting {
  const video = useRef<HTMLVideoElement>(null)
  const screen = useRef<HTMLDialogElement>(null)
  const [fault, setFault] = useState<CameraFault>()
  const [busy, setBusy] = useState(false)
  useEffect(() => {
    const opening = openCamera()
    let isOver = false
    opening.then(
      (stream) => {
        if (!isOver && video.current !== null) video.current.srcObject = stream
      },
      (error: unknown) => {
        if (!isOver) setFault(faultOf(error))
      },
    )
    return () => {
      isOver = true
      void opening.then(
        (stream) => {
          for (const track of stream.getTracks()) track.stop()
        },
        () => undefined,
      )
    }
  }, [])
  const shoot = (): void => {
    if (video.current === null || busy) return
    setBusy(true)
    pictureOf(video.current)
      .then(onPicture, () => {
        setFault('cameraBusy')
      })
      .finally(() => {
        setBusy(false)
      })
  }
  useEffect(() => {
    if (fault === undefined && screen.current?.open === false) screen.current.showModal()
  }, [fault])
  return { video, screen, fault, busy, shoot }
}

/** Pages without a secure origin have no `mediaDevices` at all, whatever the types say. */
async function openCamera(): Promise<MediaStream> {
  const devices: MediaDevices | undefined = navigator.mediaDevices
  if (devices === undefined) throw new DOMException('no camera here', 'NotFoundError')
  return devices.getUserMedia({
    audio: false,
    video: { facingMode: { ideal: 'environment' }, width: { ideal: 1_920 }, height: { ideal: 1_080 } },
  })
}

function faultOf(error: unknown): CameraFault {
  const name = error instanceof DOMException ? error.name : ''
  return name === 'NotAllowedError' || name === 'SecurityError'
    ? 'deniedCamera'
    : name === 'NotFoundError' || name === 'OverconstrainedError'
      ? 'noCamera'
      : 'cameraBusy'
}

async function pictureOf(video: HTMLVideoElement): Promise<Blob> {
  const scale = Math.min(1, longestSide / Math.max(video.videoWidth, video.videoHeight, 1))
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(video.videoWidth * scale)
  canvas.height = Math.round(video.videoHeight * scale)
  canvas.getContext('2d')?.drawImage(video, 0, 0, canvas.width, canvas.height)
  for (const quality of [0.9, 0.8, 0.65, 0.5, 0.3]) {
    const picture = await new Promise<Blob | null>((resolve) => {
      canvas.toBlob(resolve, 'image/jpeg', quality)
    })
    if (picture !== null && picture.size <= mostBytes) return picture
  }
  throw new RangeError('no picture of this camera is small enough')
}

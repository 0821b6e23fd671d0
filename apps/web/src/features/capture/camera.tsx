import { useEffect, useRef, useState, type ReactNode } from 'react'
import { Button } from '../../components/button.tsx'
import { Note } from '../../components/surface.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import { captureMessages } from './messages.ts'

const mostBytes = 2 * 1_048_576
const longestSide = 2_560
type CameraFault = 'noCamera' | 'deniedCamera' | 'cameraBusy'

/** The camera inside the page; the picture is a JPEG of at most 2 MB. */
export function Camera({
  onPicture,
  onClose,
}: {
  readonly onPicture: (picture: Blob) => void
  readonly onClose: () => void
}): ReactNode {
  const say = useMessages(captureMessages)
  const video = useRef<HTMLVideoElement>(null)
  const [fault, setFault] = useState<CameraFault>()
  const [isUpright, setUpright] = useState(false)
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
    if (video.current === null) return
    setBusy(true)
    pictureOf(video.current)
      .then(onPicture, () => {
        setFault('cameraBusy')
      })
      .finally(() => {
        setBusy(false)
      })
  }
  if (fault !== undefined) return <Note tone="warn" role="alert" title={say(fault)} />
  return (
    <div className="grid gap-3">
      <video
        ref={video}
        autoPlay
        muted
        playsInline
        className="w-full rounded-xl bg-sunken"
        onLoadedMetadata={({ currentTarget }) => setUpright(currentTarget.videoHeight > currentTarget.videoWidth)}
      />
      {isUpright && (
        <p role="status" className="text-sm text-quiet">
          {say('upright')}
        </p>
      )}
      <div className="flex flex-wrap gap-3">
        <Button kind="primary" busy={busy} onClick={shoot}>
          {say('shoot')}
        </Button>
        <Button onClick={onClose}>{say('closeCamera')}</Button>
      </div>
    </div>
  )
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

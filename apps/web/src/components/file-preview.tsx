import { useEffect, useMemo, useState, type ReactNode } from 'react'
import { Film } from './film.tsx'

type FilePreviewProps = {
  readonly file: { readonly blob: Blob; readonly contentType: string; readonly name: string }
  readonly alt: string
}

/** A file of this device: the picture or the film where browsers show it, else its name. */
export function FilePreview({ file: { blob, contentType, name }, alt }: FilePreviewProps): ReactNode {
  const address = useMemo(() => URL.createObjectURL(blob), [blob])
  useEffect(
    () => () => {
      URL.revokeObjectURL(address)
    },
    [address],
  )
  const [failed, setFailed] = useState<Blob>()
  if (contentType.startsWith('image/') && contentType !== 'image/heic')
    return <img src={address} alt={alt} className="max-h-80 w-full rounded-xl bg-sunken object-contain" />
  const isFilm = contentType.startsWith('video/') && failed !== blob
  return (
    <>
      {isFilm && (
        <Film
          address={address}
          title={alt}
          onFault={() => {
            setFailed(blob)
          }}
        />
      )}
      <p className="font-semibold break-all">{name}</p>
    </>
  )
}
